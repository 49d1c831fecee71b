import { ref } from 'vue'
import { ApiError, sentenceOf } from '../api/api'

/**
 * Something that is done once it was confirmed.
 *
 * @param changed is told when it was refused: what has changed meanwhile is shown behind the dialog
 * @param conflict says that it is not any more what was looked at
 */
export function useConfirmed<Action extends string>(changed: () => void, conflict: string) {
  const asking = ref<Action>()
  const busy = ref(false)
  const error = ref<string>()

  function ask(what: Action) {
    error.value = undefined
    asking.value = what
  }

  /** Does it once, however often one clicks. */
  async function run(work: () => Promise<unknown>) {
    if (busy.value) return
    busy.value = true
    error.value = undefined
    try {
      await work()
      asking.value = undefined
    } catch (caught) {
      const isConflict = caught instanceof ApiError && caught.code === 'WF_CONFLICT'
      error.value = isConflict ? conflict : sentenceOf(caught)
      changed()
    } finally {
      busy.value = false
    }
  }

  const close = () => {
    asking.value = undefined
  }
  return { asking, busy, error, ask, run, close }
}
