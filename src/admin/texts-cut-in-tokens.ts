import { type FindHandles, hideTokens, textsIn } from './hide-tokens'
import { MAX_TEXT } from './redact-context'

/** How far a token reaches. */
const REACH = 500

/** Texts that would be cut in the middle of a token: what is left of it would not be taken for one. */
export async function textsCutInTokens(context: unknown, find: FindHandles): Promise<string[]> {
  const long = [...textsIn(context)].filter(text => text.length > MAX_TEXT)
  const cuts = long.map(text => text.slice(MAX_TEXT - REACH, MAX_TEXT + REACH))
  const shown = await hideTokens(cuts, find)
  return long.filter((_, at) => shown[at] !== cuts[at])
}
