import { onScopeDispose, ref, type Ref } from 'vue'

/** The time, as long as the component lives. */
export function useNow(everyMs: number): Readonly<Ref<number>> {
  const now = ref(Date.now())
  const timer = setInterval(() => {
    now.value = Date.now()
  }, everyMs)
  onScopeDispose(() => clearInterval(timer))
  return now
}
