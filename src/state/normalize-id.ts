const STRAY_SLASHES = /^\/|\/$|\/\//u

/**
 * One spelling for workflow and step ids: no slash in front, none doubled, none behind. The engine's
 * router takes several spellings; stored states and lists of allowed ids must not have to.
 */
export function normalizeId(id: string): string {
  if (!STRAY_SLASHES.test(id)) return id
  return id.replace(/\/{2,}/gu, '/').replace(/^\/|\/$/gu, '')
}
