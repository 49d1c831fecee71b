import { onScopeDispose, ref, type Ref } from 'vue'
import { byServerClock } from './server-clock'

/** The browser's time, as long as the component lives: good for spans only. */
export function useTicks(everyMs: number): Readonly<Ref<number>> {
  const now = ref(Date.now())
  const timer = setInterval(() => {
    now.value = Date.now()
  }, everyMs)
  onScopeDispose(() => clearInterval(timer))
  return now
}

/** The server's time, which all that it tells about is measured by. */
export const useNow = (everyMs: number): Readonly<Ref<number>> => byServerClock(useTicks(everyMs))
