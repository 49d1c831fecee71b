import { computed, shallowRef } from 'vue'
import { useLive } from '../api/use-live'

const REFRESH_MS = 3000
const NOT_FOUND = 404

/** One flow or run, looked at again every few seconds, and whether what it was told in can be sent again. */
export function useShownOne<T>(
  load: (signal: AbortSignal) => Promise<T>,
  columns: () => Promise<{ readonly canResend: boolean; readonly canPreview?: boolean }>,
) {
  const canResend = shallowRef(false)
  const canPreview = shallowRef(false)
  const receivedAt = shallowRef(Date.now())
  const { data, error, status, refresh } = useLive(async signal => {
    const answer = await load(signal)
    receivedAt.value = Date.now()
    return answer
  }, REFRESH_MS)
  const isGone = computed(() => status.value === NOT_FOUND)
  /** Without one its last state must not look as if it were still there. */
  const shown = computed(() => (isGone.value ? undefined : data.value))
  columns().then(
    told => {
      canResend.value = told.canResend
      canPreview.value = told.canPreview ?? false
    },
    () => undefined,
  )
  return { shown, error, isGone, canResend, canPreview, receivedAt, refresh }
}
