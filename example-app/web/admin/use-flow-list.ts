import { computed, ref, shallowRef, watch } from 'vue'
import { useLive } from '../api/use-live'
import { currentQuery, replaceQuery } from '../router/router'
import { getFlows } from './admin-api'
import { type Condition, filterOf, parseConditions } from './conditions'

const REFRESH_MS = 3000
const TYPING_MS = 250
const SIZES = [10, 20, 50, 100]
const DEFAULT_SORT = '-updatedAt'

/** The list of flows with all that it is asked for, which is kept in the address of the page. */
export function useFlowList() {
  const query = currentQuery()
  const search = ref(query.get('search') ?? '')
  const status = ref(query.get('status') ?? 'all')
  const sort = ref(query.get('sort') ?? DEFAULT_SORT)
  const page = ref(Math.max(1, Number(query.get('page')) || 1))
  const size = ref(SIZES.find(each => each === Number(query.get('size'))) ?? 20)
  const conditions = shallowRef<readonly Condition[]>(parseConditions(query.get('where')))

  const asked = computed(() => ({
    status: status.value,
    filter: filterOf(conditions.value),
    search: search.value,
    sort: sort.value,
    page: page.value,
    size: size.value,
  }))
  const live = useLive(signal => getFlows(asked.value, signal), REFRESH_MS)
  const pages = computed(() => Math.max(1, Math.ceil((live.data.value?.total ?? 0) / size.value)))
  const isNarrowed = computed(
    () => conditions.value.length > 0 || search.value !== '' || status.value !== 'all',
  )

  // What is asked for changes, so the third page of what was asked before means nothing.
  watch([search, status, conditions, size], () => {
    page.value = 1
  })
  // Others have left, and the last page with them.
  watch([live.data, pages], () => {
    if (live.data.value && page.value > pages.value) page.value = pages.value
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(asked, (now, before) => {
    keepInAddress()
    clearTimeout(timer)
    timer = setTimeout(() => void live.refresh(), now.search === before.search ? 0 : TYPING_MS)
  })

  function keepInAddress() {
    const kept = {
      search: search.value,
      status: status.value === 'all' ? '' : status.value,
      sort: sort.value === DEFAULT_SORT ? '' : sort.value,
      page: page.value > 1 ? String(page.value) : '',
      size: size.value === 20 ? '' : String(size.value),
      where: conditions.value.length > 0 ? JSON.stringify(conditions.value) : '',
    }
    replaceQuery(new URLSearchParams(Object.entries(kept).filter(([, value]) => value)))
  }

  return {
    ...live,
    search,
    status,
    sort,
    page,
    pages,
    size,
    sizes: SIZES,
    conditions,
    isNarrowed,
    add(condition: Condition) {
      conditions.value = [...conditions.value, condition]
    },
    remove(index: number) {
      conditions.value = conditions.value.filter((_, at) => at !== index)
    },
    clear() {
      conditions.value = []
      search.value = ''
      status.value = 'all'
    },
    /** Sorts by a column, downwards the second time. */
    sortBy(column: string) {
      sort.value = sort.value === column ? `-${column}` : column
    },
  }
}
