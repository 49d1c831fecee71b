import { setKey } from './odd-values'
import type { Mutation } from './mutate-value'

const LETTERS = ['A', '.', '\0', '=', ' ', '\n']
const STRATEGIES = ['handle', 'encapsulated', 'default', '__proto__', '']

/** The token in another form: one letter changed, cut off, of another kind, in a list. */
export const damageToken: Mutation = ({ json }, random) => {
  if (!hasToken(json)) return
  const token = textOf(json.wfs)
  const at = random.below(token.length)
  const forms: unknown[] = [
    `${token.slice(0, at)}${random.pick(LETTERS)}${token.slice(at + 1)}`,
    token.slice(0, at),
    `${token}${random.pick(LETTERS)}`,
    token.replace(/^[^.]*/u, random.pick(STRATEGIES)),
    [token],
    { wfs: token },
  ]
  setKey(json, 'wfs', random.pick(forms))
}

/** The token comes from elsewhere than the body. */
export const moveToken: Mutation = ({ json, cookies, query }, random) => {
  if (!hasToken(json)) return
  const token = textOf(json.wfs)
  delete json.wfs
  if (random.chance(0.5)) cookies.push(['wfs', token])
  else query.push(['wfs', token])
}

function hasToken(json: unknown): json is { wfs?: unknown } {
  return typeof json === 'object' && json !== null && 'wfs' in json
}

/** What was put in the token's place may be no text, nor have one. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
