import { onScopeDispose, ref, shallowRef } from 'vue'
import { getJson, postJson, sentenceOf } from '../api/api'
import { lookAtWork, type WorkInFlight } from './work-in-flight'

const EVERY_MS = 300

interface Killed {
  readonly processId: string
  /** By the server's clock. */
  readonly at: number
}

/** Kills the server, and waits until another process answers. */
export function useKill() {
  const phase = ref<'ready' | 'gone' | 'back'>('ready')
  const before = shallowRef<WorkInFlight>()
  const killed = shallowRef<Killed>()
  const problem = ref('')
  const busy = ref(false)
  const goneMs = ref(0)
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let since = 0
  onScopeDispose(() => {
    controller.abort()
    clearTimeout(timer)
  })

  async function kill() {
    if (busy.value) return
    busy.value = true
    problem.value = ''
    try {
      before.value = await lookAtWork(signal)
      killed.value = await postJson<Killed>('/api/demo/kill')
      since = performance.now()
      goneMs.value = 0
      phase.value = 'gone'
      void waitForAnother()
    } catch (error) {
      problem.value = sentenceOf(error)
    }
    busy.value = false
  }

  async function waitForAnother() {
    const answer = await getJson<Pick<Killed, 'processId'>>('/api/demo/process', {}, signal).catch(
      () => undefined,
    )
    if (signal.aborted) return
    goneMs.value = performance.now() - since
    if (answer && answer.processId !== killed.value?.processId) phase.value = 'back'
    else timer = setTimeout(waitForAnother, EVERY_MS)
  }

  return { phase, before, killed, problem, busy, goneMs, kill }
}
