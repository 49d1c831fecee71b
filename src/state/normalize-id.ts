/**
 * One spelling for workflow and step ids: no slash in front, none doubled, none behind. The engine's
 * router takes several spellings, stored states and settings should not have to.
 */
export function normalizeId(id: string): string {
  return id.replace(/\/{2,}/gu, '/').replace(/^\/|\/$/gu, '')
}
