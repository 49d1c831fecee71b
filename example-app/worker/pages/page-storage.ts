import type { WfTokenStorage } from '@atscript/moost-wf/client'

/** The storage of this tab, for one page alone: one tab may both send a link and open it. */
export function pageStorage(page: string): WfTokenStorage {
  const keyOf = (key: string) => `${page}:${key}`
  return {
    getItem: key => sessionStorage.getItem(keyOf(key)),
    setItem: (key, value) => sessionStorage.setItem(keyOf(key), value),
    removeItem: key => sessionStorage.removeItem(keyOf(key)),
  }
}
