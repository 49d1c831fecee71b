import { exactTime } from '../time/relative-time'

/** How often a link was shown, and what that is worth; nothing if it never was. */
export function openedText({
  opens,
  openedAt,
}: {
  readonly opens: number
  readonly openedAt: number | null
}): string {
  if (opens === 0) return ''
  const last = openedAt === null ? '' : `, last ${exactTime(openedAt)}`
  const times = opens === 1 ? 'Opened once' : `Opened ${opens} times`
  return `${times}${last}; scanners of mails open links too`
}
