/**
 * Whether a text is a path of the site at `origin`. Anything else, such as `//elsewhere.example` or `/\elsewhere`,
 * would lead away from it.
 */
export function isLocalPath(text: unknown, origin: string): text is string {
  if (typeof text !== 'string' || !text.startsWith('/')) return false
  // Browsers read a backslash as a slash, and leave out tabs and line breaks.
  if (/[\\\s]/u.test(text) || text.startsWith('//')) return false
  if (!URL.canParse(text, origin)) return false
  const url = new URL(text, origin)
  return url.origin === origin && !url.pathname.startsWith('//')
}
