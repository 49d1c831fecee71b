const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const dateOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

const FAR = 60 * DAY
/** What a request and a look at the answer take. */
const MOMENT = 5 * SECOND

/**
 * A time in words: "3 minutes ago", "in 2 days". What is far away is a date. No unit is said before it
 * is full, but for a moment: what works for 100 minutes does not work for two hours.
 */
export function relativeTime(at: number, now: number): string {
  const distance = at - now
  if (Math.abs(distance) > FAR) return dateOnly.format(at)
  for (const [unit, size] of UNITS) {
    const full = Math.floor((Math.abs(distance) + MOMENT) / size)
    if (full > 0) return words.format(Math.sign(distance) * full, unit)
  }
  return distance > 0 ? 'in less than a minute' : 'just now'
}

export const exactTime = (at: number): string => exact.format(at)

/** A span as a clock counts it: "2 d 04:05:06". */
export function clockTime(ms: number): string {
  const left = Math.max(0, ms)
  const days = Math.floor(left / DAY)
  const parts = [(left % DAY) / HOUR, (left % HOUR) / MINUTE, (left % MINUTE) / SECOND]
  const clock = parts.map(part => String(Math.floor(part)).padStart(2, '0')).join(':')
  return days > 0 ? `${days} d ${clock}` : clock
}
