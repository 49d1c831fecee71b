import type { WfAdminColumn } from '@atscript/moost-wf/admin'
import { computed, ref } from 'vue'

const KEY = 'admin-columns'
/** Of those that every flow has, enough to tell them apart; the others can be chosen. */
const USUAL = new Set(['updatedAt', 'expiresAt'])

/**
 * The columns that an admin wants to see, which this browser remembers.
 *
 * @param of for what: each workflow may have its own
 */
export function useChosenColumns(columns: () => readonly WfAdminColumn[], of = () => '') {
  const keyOf = () => (of() ? `${KEY}:${of()}` : KEY)
  /** What was chosen since the page was opened; what was chosen before is in the storage. */
  const changes = ref<Readonly<Record<string, readonly string[]>>>({})
  const chosen = computed({
    get: () =>
      changes.value[keyOf()] ??
      read(keyOf()) ??
      columns()
        .filter(isUsual)
        .map(({ name }) => name),
    set: names => {
      changes.value = { ...changes.value, [keyOf()]: names }
      localStorage.setItem(keyOf(), JSON.stringify(names))
    },
  })
  const shown = computed(() => columns().filter(({ name }) => chosen.value.includes(name)))
  return { chosen, shown }
}

const isUsual = ({ name, shadow, hidden, isId }: WfAdminColumn): boolean =>
  !hidden && !isId && (shadow || USUAL.has(name))

function read(key: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    return Array.isArray(names) ? names.map(String) : undefined
  } catch {
    return undefined
  }
}
