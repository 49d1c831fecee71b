import { onScopeDispose, ref, type Ref, shallowRef, type ShallowRef } from 'vue'
import { sessionEnded } from '../session/session'
import { ApiError, sentenceOf } from './api'

export interface Live<T> {
  /** The newest answer; it stays while the next one is asked for, or does not come. */
  readonly data: Readonly<ShallowRef<T | undefined>>
  /** Why the last request failed. */
  readonly error: Readonly<Ref<string | undefined>>
  readonly status: Readonly<Ref<number>>
  readonly loading: Readonly<Ref<boolean>>
  /** Asks at once; what was asked before does not count any more. */
  refresh(): Promise<void>
}

/**
 * What the server says, asked again every few seconds for as long as somebody is looking.
 *
 * @param everyMs may depend on the newest answer
 */
export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number | ((data: T | undefined) => number),
): Live<T> {
  const data = shallowRef<T>()
  const error = ref<string>()
  const status = ref(200)
  const loading = ref(false)
  let controller: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const refresh = async () => {
    controller?.abort()
    clearTimeout(timer)
    const mine = new AbortController()
    controller = mine
    loading.value = true
    try {
      const answer = await load(mine.signal)
      if (mine.signal.aborted) return
      data.value = answer
      error.value = undefined
      status.value = 200
    } catch (caught) {
      if (mine.signal.aborted) return
      error.value = sentenceOf(caught)
      status.value = caught instanceof ApiError ? caught.status : 0
      // Perhaps nobody is signed in any more.
      if (status.value === 401 || status.value === 403) await sessionEnded()
    }
    loading.value = false
    timer = setTimeout(next, typeof everyMs === 'number' ? everyMs : everyMs(data.value))
  }
  const next = () => {
    if (!document.hidden) void refresh()
  }

  document.addEventListener('visibilitychange', next)
  onScopeDispose(() => {
    document.removeEventListener('visibilitychange', next)
    clearTimeout(timer)
    controller?.abort()
  })
  void refresh()
  return { data, error, status, loading, refresh }
}
