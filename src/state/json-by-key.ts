import { isRecord } from './is-record'

/** The values of a record as JSON. */
export type JsonByKey = ReadonlyMap<string, string>

/** @returns `undefined` for what is no plain record, or says itself what it is as JSON */
export function jsonByKey(value: unknown): JsonByKey | undefined {
  if (!isPlain(value) || 'toJSON' in value) return undefined
  const byKey = new Map<string, string>()
  for (const key of Object.keys(value)) {
    // Set on an object, it would be its prototype.
    if (key === '__proto__') return undefined
    const json = inJson(value[key], key)
    if (json !== undefined) byKey.set(key, json)
  }
  return byKey
}

export function joinJson(byKey: JsonByKey): string {
  let text = ''
  for (const [key, json] of byKey) text += `${text && ','}${JSON.stringify(key)}:${json}`
  return `{${text}}`
}

/** `undefined` for what JSON leaves out. What says itself what it is may ask for its key. */
function inJson(value: unknown, key: string): string | undefined {
  const hasSay = typeof value === 'object' && value !== null && 'toJSON' in value
  if (!hasSay) return JSON.stringify(value)
  const whole = JSON.stringify({ [key]: value })
  return whole === '{}' ? undefined : whole.slice(JSON.stringify(key).length + 2, -1)
}

/** Of no class: JSON has its own mind about some of them. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
