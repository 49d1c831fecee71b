import type { Expense } from './expense'

/** All who have to do with an expense, each once. Whoever has escalated it is nobody. */
export function peopleOf({ applicant, parts, history }: Expense): Set<string> {
  const spoken = history.filter(({ what }) => what !== 'late').map(({ by }) => by)
  return new Set([applicant, ...parts.map(({ to }) => to), ...spoken])
}
