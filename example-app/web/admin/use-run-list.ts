import type { WfAdminRunSelection, WfAdminRunState } from '@atscript/moost-wf/admin'
import { computed, ref, shallowRef, watch } from 'vue'
import { useLive } from '../api/use-live'
import { currentQuery, replaceQuery } from '../router/router'
import { type Condition, filterOf, parseConditions } from './conditions'
import { getRunCounts, getRuns } from './runs-api'

const REFRESH_MS = 3000
const COUNTS_REFRESH_MS = 6000
const TYPING_MS = 250
const SIZES = [10, 20, 50, 100]

export const STATES = [
  'all',
  'live',
  'error',
  'done',
  'cancelled',
  'expired',
] as const satisfies readonly (WfAdminRunState | 'all')[]

/** The list of runs, and how many there are. What it is asked for is kept in the address of the page. */
export function useRunList() {
  const query = currentQuery()
  const state = ref(STATES.find(each => each === query.get('state')) ?? 'all')
  const size = ref(SIZES.find(each => each === Number(query.get('size'))) ?? 20)
  const workflow = ref(query.get('workflow') ?? '')
  const step = ref(query.get('step') ?? '')
  const search = ref(query.get('search') ?? '')
  const isInside = ref(query.get('inside') === 'context')
  const conditions = shallowRef<readonly Condition[]>(parseConditions(query.get('where')))
  /** Where the pages begin that were turned, the shown one last. Runs come and go: there are no numbers. */
  const starts = shallowRef<readonly string[]>([])

  /** What is listed, as the server is asked for it at this moment. */
  function selection(): WfAdminRunSelection {
    const wanted = search.value.trim()
    return {
      state: state.value === 'all' ? undefined : state.value,
      workflow: workflow.value || undefined,
      step: step.value || undefined,
      filter: filterOf(conditions.value),
      search: wanted || undefined,
      inside: wanted && isInside.value ? 'context' : undefined,
    }
  }

  const live = useLive(
    signal => getRuns({ ...selection(), size: size.value, after: starts.value.at(-1) }, signal),
    REFRESH_MS,
  )
  /** Of all states. What is looked for inside of contexts is not counted. */
  const counts = useLive(signal => {
    const { inside, search: wanted, ...counted } = selection()
    const asked = { ...counted, state: undefined, ...(!inside && { search: wanted }) }
    return getRunCounts(asked, signal)
  }, COUNTS_REFRESH_MS)
  const isNarrowed = computed(
    () =>
      conditions.value.length > 0 ||
      state.value !== 'all' ||
      Boolean(workflow.value || step.value || search.value.trim()),
  )

  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (delayMs = 0) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      void live.refresh()
      void counts.refresh()
    }, delayMs)
  }
  watch(workflow, () => {
    step.value = ''
  })
  watch([state, conditions, size, workflow, step, isInside], () => reset(0))
  watch(search, () => reset(TYPING_MS))
  watch(starts, () => void live.refresh())

  function reset(delayMs: number) {
    if (starts.value.length > 0) starts.value = []
    keepInAddress()
    ask(delayMs)
  }

  function keepInAddress() {
    const kept = {
      state: state.value === 'all' ? '' : state.value,
      size: size.value === 20 ? '' : String(size.value),
      workflow: workflow.value,
      step: step.value,
      search: search.value.trim(),
      inside: isInside.value ? 'context' : '',
      where: conditions.value.length > 0 ? JSON.stringify(conditions.value) : '',
    }
    replaceQuery(new URLSearchParams(Object.entries(kept).filter(([, value]) => value)))
  }

  return {
    ...live,
    counts: counts.data,
    selection,
    state,
    size,
    workflow,
    step,
    search,
    isInside,
    sizes: SIZES,
    conditions,
    isNarrowed,
    page: computed(() => starts.value.length + 1),
    hasNext: computed(() => typeof live.data.value?.next === 'string'),
    again: () => ask(),
    next() {
      const next = live.data.value?.next
      if (next && !live.loading.value) starts.value = [...starts.value, next]
    },
    previous() {
      starts.value = starts.value.slice(0, -1)
    },
    add(condition: Condition) {
      conditions.value = [...conditions.value, condition]
    },
    remove(index: number) {
      conditions.value = conditions.value.filter((_, at) => at !== index)
    },
    clear() {
      conditions.value = []
      state.value = 'all'
      workflow.value = ''
      step.value = ''
      search.value = ''
    },
  }
}
