import { isStorableText } from './storable-text'

const LONGEST_NAME = 100

/** @throws TypeError */
export function assertSignalName(name: unknown): asserts name is string {
  const isName = typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME
  if (isName && isStorableText(name)) return
  throw new TypeError(`A signal has a name of 1 to ${LONGEST_NAME} characters.`)
}
