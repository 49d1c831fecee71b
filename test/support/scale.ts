/**
 * How often a case is repeated: `small` keeps `npm test` in minutes, `full` is the count that the
 * project promises and is run by `npm run test:full`.
 */
export function scaled(small: number, full: number): number {
  return process.env.WF_TEST_SCALE === 'full' ? full : small
}
