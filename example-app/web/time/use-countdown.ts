import { computed, onScopeDispose, ref, watch } from 'vue'
import { useTicks } from './use-now'

const EVERY_MS = 250

/** Counts down from now, and does something at the end unless it was stopped before. */
export function useCountdown(durationMs: number, whenOver: () => void) {
  const end = Date.now() + durationMs
  const now = useTicks(EVERY_MS)
  const isStopped = ref(false)
  const leftMs = computed(() => Math.max(0, end - now.value))
  const stop = () => {
    isStopped.value = true
  }
  watch(
    () => leftMs.value === 0 && !isStopped.value,
    isOver => {
      if (!isOver) return
      stop()
      whenOver()
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return { leftMs, secondsLeft: computed(() => Math.ceil(leftMs.value / 1000)), isStopped, stop }
}
