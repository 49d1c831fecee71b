import { isRecord, type WfState } from '../../state'

/** The version of the payload's layout. */
const VERSION = 1

/** Where a token belongs: tokens of one owner do not open for another. */
export interface TokenOwner {
  /** The strategy's name in the registry. */
  readonly name: string
  readonly purpose: string | undefined
}

/** What a token says, inside its encryption. Times are milliseconds since the epoch. */
export interface TokenContent {
  /** Letters, digits, `-` and `_`. */
  readonly jti: string
  readonly iat: number
  readonly exp: number
  readonly state: WfState
}

/** How every payload of an owner begins: JSON that is not closed yet. */
export function beginPayload({ name, purpose }: TokenOwner): string {
  return JSON.stringify({ v: VERSION, n: name, p: purpose }).slice(0, -1)
}

export function writePayload(
  beginning: string,
  { jti, iat, exp }: Omit<TokenContent, 'state'>,
  stateJson: string,
): string {
  return `${beginning},"jti":"${jti}","iat":${iat},"exp":${exp},"s":${stateJson}}`
}

/** `null` unless it is a payload of this owner, whole and in every field of the right kind. */
export function readPayload({ name, purpose }: TokenOwner, text: string): TokenContent | null {
  const payload = parseObject(text)
  if (payload?.v !== VERSION || payload.n !== name || payload.p !== purpose) return null
  const { jti, iat, exp, s: state } = payload
  if (typeof jti !== 'string' || !isTime(iat) || !isTime(exp) || !isState(state)) return null
  return { jti, iat, exp, state }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function isState(value: unknown): value is WfState {
  if (!isRecord(value) || typeof value.schemaId !== 'string') return false
  return Array.isArray(value.indexes) && (value.meta === undefined || isRecord(value.meta))
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value)
}
