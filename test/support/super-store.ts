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

  protected override applyShadows(state: WfState) {
    return super.applyShadows(state)
  }

  protected override scanShadowFields() {
    return super.scanShadowFields()
  }

  protected override resolveFieldPrimitive(field: WfTableField) {
    return super.resolveFieldPrimitive(field)
  }

  protected override resolvePath(context: unknown, path: readonly string[]) {
    return super.resolvePath(context, path)
  }

  protected override coerceShadowValue(field: ShadowField, value: unknown) {
    return super.coerceShadowValue(field, value)
  }

  protected override onShadowTypeMismatch(field: ShadowField, value: unknown) {
    super.onShadowTypeMismatch(field, value)
  }

  protected override assembleResult(row: WfStoredRow) {
    return super.assembleResult(row)
  }

  protected override getActor() {
    return super.getActor()
  }
}
