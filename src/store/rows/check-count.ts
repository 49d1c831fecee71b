/** @throws TypeError for what is no count, or more than can be */
export function checkCount(what: string, value: number, most = Infinity): void {
  const isCount = value === Infinity || Number.isSafeInteger(value)
  if (isCount && value >= 1 && value <= most) return
  throw new TypeError(`${what} is a whole number from 1${most < Infinity ? ` to ${most}` : ''}.`)
}
