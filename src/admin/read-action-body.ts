import { isStorable } from '../state'
import { readBody } from '../trigger'
import { badRequest, unstorable } from './admin-refusal'

const MOST_BYTES = 10_000

export interface ActionBody {
  /** The version that the admin has seen. */
  readonly version: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** @throws AdminRefusal 400 */
export async function readActionBody(): Promise<ActionBody> {
  const fields = await readFields()
  const { version } = fields
  if (!Number.isSafeInteger(version)) {
    throw badRequest('Send the "version" of the flow that you have seen.')
  }
  return { version: version as number, fields }
}

/**
 * The fields of a body that may be missing.
 *
 * @throws AdminRefusal 400
 */
export async function readFields(
  mostBytes = MOST_BYTES,
): Promise<Readonly<Record<string, unknown>>> {
  const { fields } = await readBody(mostBytes)
  if (!isStorable(fields)) throw unstorable('The body')
  return fields
}
