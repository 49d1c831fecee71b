import { isRecord } from '../state'
import { looksLikeToken } from './looks-like-token'
import { readingsOf } from './readings-of'
import { REDACTED } from './redact-context'
import { spansOf } from './token-spans'

/** Tells which of these texts are handles. */
export type FindHandles = (texts: Iterable<string>) => Promise<ReadonlySet<string>>

/** Characters and spans that are looked at in one answer. What is beyond is not shown. */
const MOST_WORK = 1_000_000

/**
 * What was stored, without live links. Applications put links into contexts and columns, to the same
 * flow and to others, in whatever encoding; a text that holds one is not shown.
 */
export async function hideTokens<T>(stored: T, findHandles: FindHandles): Promise<T> {
  const hidden = new Set<string>()
  const spansIn = new Map<string, ReadonlySet<string>>()
  const work = { left: MOST_WORK }
  // The short ones first: what is beyond should be a wall of text, and not an id.
  for (const text of [...textsIn(stored)].toSorted((one, other) => one.length - other.length)) {
    const spans = spansToCheck(text, work)
    if (spans) spansIn.set(text, spans)
    else hidden.add(text)
  }
  const handles = await findHandles(new Set([...spansIn.values()].flatMap(spans => [...spans])))
  for (const [text, spans] of spansIn) {
    if ([...spans].some(span => handles.has(span))) hidden.add(text)
  }
  return without(hidden, stored)
}

/** An answer without what has the form of a token, whoever has put it there. */
export function hideTokenShapes(answer: unknown): unknown {
  return without(new Set([...textsIn(answer)].filter(text => !readableOf(text))), answer)
}

/** What of a text may be a handle; `null` for a text that is not shown in any case. */
function spansToCheck(text: string, work: { left: number }): ReadonlySet<string> | null {
  work.left -= text.length
  const readings = work.left < 0 ? null : readableOf(text)
  if (!readings) return null
  const spans = new Set<string>()
  for (const span of spansOf(readings)) {
    if (--work.left < 0) return null
    spans.add(span)
  }
  return spans
}

/** The ways to read a text, if none of them shows something that has the form of a token. */
function readableOf(text: string): readonly string[] | null {
  const readings = readingsOf(text)
  return readings?.some(looksLikeToken) ? null : readings
}

/** All texts, each once: values, keys and numbers. */
export function textsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string' || typeof value === 'number') found.add(String(value))
  else if (Array.isArray(value)) for (const item of value) textsIn(item, found)
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) textsIn(item, found.add(key))
  }
  return found
}

function without<T>(hidden: ReadonlySet<string>, shown: T): T {
  if (hidden.size === 0) return shown
  const show = (value: unknown): unknown => {
    if (typeof value === 'string' || typeof value === 'number') {
      return hidden.has(String(value)) ? REDACTED : value
    }
    if (Array.isArray(value)) return value.map(show)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [show(key), show(item)]))
  }
  return show(shown) as T
}
