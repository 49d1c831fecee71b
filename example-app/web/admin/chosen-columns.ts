import { computed, ref, watch } from 'vue'
import type { WfAdminColumn } from '@atscript/moost-wf/admin'

const KEY = 'admin-columns'
/** Of those that every flow has, enough to tell them apart; the others can be chosen. */
const USUAL = new Set(['updatedAt', 'expiresAt'])

/** The columns that an admin wants to see, which this browser remembers. */
export function useChosenColumns(columns: () => readonly WfAdminColumn[]) {
  const kept = ref<readonly string[] | undefined>(read())
  const chosen = computed({
    get: () =>
      kept.value ??
      columns()
        .filter(isUsual)
        .map(({ name }) => name),
    set: names => {
      kept.value = names
    },
  })
  const shown = computed(() => columns().filter(({ name }) => chosen.value.includes(name)))
  watch(kept, names => localStorage.setItem(KEY, JSON.stringify(names)))
  return { chosen, shown }
}

const isUsual = ({ name, shadow, hidden, isId }: WfAdminColumn): boolean =>
  !hidden && !isId && (shadow || USUAL.has(name))

function read(): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? '')
    return Array.isArray(names) ? names.map(String) : undefined
  } catch {
    return undefined
  }
}
