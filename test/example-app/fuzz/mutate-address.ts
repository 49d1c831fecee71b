import { ENCODED } from './message'
import type { Mutation } from './mutate-value'
import { oddText } from './odd-values'

const METHODS =
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND MKCOL SEARCH QUERY FOO'.split(' ')

export const method: Mutation = (sent, random) => {
  sent.method = random.pick(METHODS)
}

const PARTS = [
  '%00 % %zz %u0041 %ff %c0%ae %ED%A0%80 %2e%2e%2f %2F %5c %25 %0d%0a %E2%80%AE'.split(' '),
  ['..', '.', '', ';', '__proto__', ':id', '*', 'a'.repeat(6000)],
].flat()

export const path: Mutation = (sent, random) => {
  const parts = sent.path.split('/')
  const at = 1 + random.below(Math.max(1, parts.length - 1))
  const part = parts[at] ?? ''
  const odd = random.pick(PARTS)
  const how = random.below(4)
  if (how === 0) parts[at] = odd
  else if (how === 1) parts[at] = `${part}${odd}`
  else if (how === 2) parts.splice(at, 0, odd)
  else parts[at] = [...part].map(char => `%${char.charCodeAt(0).toString(16)}`).join('')
  sent.path = parts.join('/') || '/'
}

const NAMES = 'wfs wfid filter search sort page size status __proto__ x'.split(' ')
const LONGEST = 8000

export const query: Mutation = (sent, random) => {
  const odd = random.chance(0.4)
    ? `${ENCODED}${random.pick(PARTS)}`
    : oddText(random).slice(0, LONGEST)
  const at = random.below(sent.query.length)
  const [name = random.pick(NAMES), value = ''] = sent.query[at] ?? []
  const how = random.below(3)
  if (how === 0) sent.query[at] = [name, odd]
  else if (how === 1) sent.query.push([name, random.chance(0.5) ? value : odd])
  else sent.query.push([random.pick(NAMES), odd])
}
