import {
  AsWfStore,
  type ShadowField,
  type WfSetPayloadOptions,
  type WfStoredRow,
  type WfTableField,
} from '@atscript/moost-wf/store'
import type { WfState } from '@atscript/moost-wf'

/** Overrides every hook by `super`: nothing may change by that. */
export class SuperStore extends AsWfStore {
  protected override scope() {
    return super.scope()
  }

  protected override findRow(handle: string) {
    return super.findRow(handle)
  }

  protected override buildSetPayload(handle: string, state: WfState, options: WfSetPayloadOptions) {
    return super.buildSetPayload(handle, state, options)
  }

  protected override applyShadows(payload: Record<string, unknown>, state: WfState) {
    super.applyShadows(payload, state)
  }

  protected override scanShadowFields() {
    return super.scanShadowFields()
  }

  protected override resolveFieldPrimitive(fieldType: WfTableField) {
    return super.resolveFieldPrimitive(fieldType)
  }

  protected override resolvePath(obj: unknown, path: string[]) {
    return super.resolvePath(obj, path)
  }

  protected override coerceShadowValue(raw: unknown, spec: ShadowField) {
    return super.coerceShadowValue(raw, spec)
  }

  protected override onShadowTypeMismatch(field: string, expected: string, actual: string) {
    super.onShadowTypeMismatch(field, expected, actual)
  }

  protected override assembleResult(row: WfStoredRow) {
    return super.assembleResult(row)
  }

  protected override getActor() {
    return super.getActor()
  }
}
