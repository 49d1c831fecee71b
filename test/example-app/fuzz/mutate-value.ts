import type { Message } from './message'
import { message } from './message'
import { oddJson, oddSnippet, oddText, RawJson, setKey } from './odd-values'
import type { Random } from './random'

/** Changes a request in one way, if it has what is to be changed. */
export type Mutation = (sent: Message, random: Random) => void

/** A place within a value. */
interface Spot {
  readonly parent: Record<string, unknown>
  readonly key: string
}

function spotsIn(value: unknown): Spot[] {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap(key => [{ parent, key }, ...spotsIn(parent[key])])
}

/** Leaves a text as it is but for a few characters, so that it may pass where others do not. */
export const taint: Mutation = ({ json }, random) => {
  const texts = spotsIn(json).filter(({ parent, key }) => typeof parent[key] === 'string')
  // Tokens and names of workflows are texts too, and those are refused early.
  const typed = texts.filter(({ key }) => key !== 'wfs' && key !== 'wfid')
  const spot = random.pick(random.chance(0.9) && typed.length > 0 ? typed : texts)
  if (!spot) return
  const text = String(spot.parent[spot.key])
  const at = random.below(text.length + 1)
  setKey(spot.parent, spot.key, `${text.slice(0, at)}${oddSnippet(random)}${text.slice(at)}`)
}

export const replaceValue: Mutation = (sent, random) => {
  const spot = random.pick(spotsIn(sent.json))
  if (spot) setKey(spot.parent, spot.key, oddJson(random))
  else if (sent.json !== undefined) sent.json = oddJson(random)
}

export const replaceBody: Mutation = (sent, random) => {
  sent.json = oddJson(random)
}

const KEYS = ['__proto__', 'constructor', 'input', 'action', 'restart', 'requestId', 'wfid', 'wfs']
const ODD_KEYS = ['', '0', '\0', '\ud800', 'a'.repeat(5000)]

export const changeKeys: Mutation = ({ json }, random) => {
  const spot = random.pick(spotsIn(json))
  if (!spot) return
  const { parent, key } = spot
  const name = random.pick([...KEYS, ...ODD_KEYS, oddText(random)])
  const how = random.below(3)
  if (how === 0) delete parent[key]
  else setKey(parent, name, how === 1 ? oddJson(random) : parent[key])
}

const ACTIONS = ['mail', 'app', 'recovery', 'none', 'toString', '\0']
const WORKFLOWS = [
  'auth/login',
  'auth/recover',
  'users/invite',
  'approvals/expense',
  '/auth//login/',
  'auth/login%00',
  '__proto__',
]

/** The fields that the endpoint knows, where they do not belong. */
export const addField: Mutation = ({ json }, random) => {
  if (typeof json !== 'object' || json === null) return
  const [name, value] = random.pick<readonly [string, unknown]>([
    ['action', random.pick(ACTIONS)],
    ['wfid', random.pick(WORKFLOWS)],
    ['requestId', random.pick(['r1', 'r2', oddText(random)])],
    ['restart', random.pick([true, 'true', oddJson(random)])],
  ])
  setKey(json, name, value)
}

/** The same within the JSON of a query. */
export const changeFilter: Mutation = (sent, random) => {
  if (sent.filter === undefined) return
  const inner = message('', '', { json: sent.filter })
  random.pick([taint, replaceValue, changeKeys, replaceBody])(inner, random)
  sent.filter = inner.json
}
