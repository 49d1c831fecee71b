import { computed, ref, shallowRef, watch } from 'vue'
import { useLive } from '../api/use-live'
import { currentQuery, replaceQuery } from '../router/router'
import { type Condition, filterOf, parseConditions } from './conditions'
import { getRuns } from './runs-api'

const REFRESH_MS = 3000
const SIZES = [10, 20, 50, 100]

/** The list of runs. What it is asked for is kept in the address of the page. */
export function useRunList() {
  const query = currentQuery()
  const status = ref(query.get('status') ?? 'all')
  const size = ref(SIZES.find(each => each === Number(query.get('size'))) ?? 20)
  const conditions = shallowRef<readonly Condition[]>(parseConditions(query.get('where')))
  /** Where the pages begin that were turned, the shown one last. Runs come and go: there are no numbers. */
  const starts = shallowRef<readonly string[]>([])

  const asked = computed(() => ({
    status: status.value,
    filter: filterOf(conditions.value),
    size: size.value,
    after: starts.value.at(-1),
  }))
  const live = useLive(signal => getRuns(asked.value, signal), REFRESH_MS)
  const isNarrowed = computed(() => conditions.value.length > 0 || status.value !== 'all')

  watch([status, conditions, size], () => {
    starts.value = []
    keepInAddress()
  })
  watch(asked, () => void live.refresh())

  function keepInAddress() {
    const kept = {
      status: status.value === 'all' ? '' : status.value,
      size: size.value === 20 ? '' : String(size.value),
      where: conditions.value.length > 0 ? JSON.stringify(conditions.value) : '',
    }
    replaceQuery(new URLSearchParams(Object.entries(kept).filter(([, value]) => value)))
  }

  return {
    ...live,
    status,
    size,
    sizes: SIZES,
    conditions,
    isNarrowed,
    page: computed(() => starts.value.length + 1),
    hasNext: computed(() => typeof live.data.value?.next === 'string'),
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
      status.value = 'all'
    },
  }
}
