import { useHeaders } from '@atscript/moost-wf/http'

/** What proxies add, besides all that begins with `x-forwarded-`. */
const ADDED = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
])

/** Whether a proxy has passed this request on, and says so. */
export function isForwarded(): boolean {
  return Object.keys(useHeaders()).some(name => name.startsWith('x-forwarded-') || ADDED.has(name))
}
