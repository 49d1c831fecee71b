const HERE = 'http://here.invalid'

/**
 * Whether a text is a path of this site, and of no other: safe to send a user to, whoever wrote it.
 *
 * @example
 * ```ts
 * import { isLocalPath } from '@atscript/moost-wf'
 *
 * isLocalPath('/orders?page=2') // true
 * isLocalPath('//evil.example') // false
 * ```
 */
export function isLocalPath(path: unknown): path is string {
  // Browsers drop tabs and line ends, and take a backslash for a slash.
  if (typeof path !== 'string' || !path.startsWith('/') || /[\p{Cc}\\]/u.test(path)) return false
  if (!URL.canParse(path, HERE)) return false
  const { origin, pathname } = new URL(path, HERE)
  return origin === HERE && !pathname.startsWith('//')
}
