import type { WfTokenStorage } from '@atscript/moost-wf/client'

/**
 * The storage of this tab, for one page alone: who sends an invitation and who accepts it are in the
 * same workflow, and one tab may be both.
 */
export function pageStorage(page: string): WfTokenStorage {
  const keyOf = (key: string) => `${page}:${key}`
  return {
    getItem: key => sessionStorage.getItem(keyOf(key)),
    setItem: (key, value) => sessionStorage.setItem(keyOf(key), value),
    removeItem: key => sessionStorage.removeItem(keyOf(key)),
  }
}
