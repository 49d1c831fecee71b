const UNITS: readonly (readonly [string, number])[] = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
  ['s', 1000],
]

/** How long something took, by its two largest units: "3 d 4 h", "2 min 5 s", "340 ms". */
export function spanText(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  const first = UNITS.findIndex(([, size]) => whole >= size)
  if (first === -1) return `${whole} ms`
  let left = whole
  const parts = UNITS.slice(first, first + 2).map(([name, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? `${count} ${name}` : ''
  })
  return parts.filter(Boolean).join(' ')
}
