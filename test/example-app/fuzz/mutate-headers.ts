import { latin } from './message'
import type { Mutation } from './mutate-value'
import { oddText, setKey } from './odd-values'

const NAMES = [
  'accept accept-encoding authorization forwarded if-modified-since if-none-match origin range',
  'referer sec-fetch-site user-agent x-forwarded-for x-forwarded-proto x-http-method-override',
  'x-request-id __proto__',
].flatMap(names => names.split(' '))
const VALUES = [
  ',|;;|*/*;q=|text/html|application/json|null|cross-site|same-origin|,,,|http://[|unknown||',
  'https://evil.example|bytes=0-|bytes=9-1,-|Basic |Basic AAAA|Bearer|::1|2001:db8::1|[::1]:80',
  '1.2.3.4, ::ffff:1.2.3.4%lo, x|fe80::1%eth0',
].flatMap(values => values.split('|'))

export const header: Mutation = (sent, random) => {
  const value = random.chance(0.8) ? random.pick(VALUES) : latin(oddText(random))
  sent.headers.push([random.pick(NAMES), value])
}

const HOSTS = [
  '|evil.example|localhost:99999|[::1|a b|127.0.0.1|LOCALHOST|%00|user@localhost'.split('|'),
  'x'.repeat(3000),
].flat()

export const host: Mutation = (sent, random) => {
  sent.headers.push(['host', random.pick(HOSTS)])
}

export const manyHeaders: Mutation = (sent, random) => {
  const count = random.pick([50, 300])
  for (let index = 0; index < count; index++) sent.headers.push([`x-${index}`, 'y'])
}

const COOKIES = ['|%|%zz|%00|"|""|=|a=b| |\u00e9|j:{}'.split('|'), 'x'.repeat(3000)].flat()

export const cookie: Mutation = ({ cookies }, random) => {
  const name = random.pick(['session', 'wfs', '__proto__', '', 'x'])
  const value = random.chance(0.7) ? random.pick(COOKIES) : oddText(random)
  cookies.splice(random.below(cookies.length + 1), 0, [name, value])
}

/** As a double click does, or somebody who wants to win a race. */
export const atOnce: Mutation = (sent, random) => {
  sent.times = 2 + random.below(3)
  if (typeof sent.json !== 'object' || sent.json === null || random.chance(0.3)) return
  setKey(sent.json, 'requestId', `at-once-${random.below(1e9)}`)
}

/** What no client library sends. */
export const tear: Mutation = (sent, random) => {
  sent.isTorn = true
  const ways: readonly (() => unknown)[] = [
    () => sent.headers.push(['content-length', '5000']),
    () => sent.headers.push(['content-length', '3']),
    () => sent.headers.push(['transfer-encoding', 'chunked']),
    () => sent.headers.push(['x-odd', 'a\0b']),
    () => sent.headers.push(['x-odd\r\n folded', 'y']),
    () => sent.headers.push(['expect', '100-continue']),
    () => sent.headers.push(['upgrade', 'websocket'], ['connection', 'upgrade']),
    () => (sent.path = `${sent.path}\0`),
    () => (sent.path = `${sent.path}\u00e9`),
    () => (sent.path = `${sent.path} HTTP/9.9`),
    () => (sent.path = 'http://[/'),
    () => (sent.path = `http://evil.example${sent.path}`),
    () => (sent.path = '*'),
  ]
  random.pick(ways)()
}
