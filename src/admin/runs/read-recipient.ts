import { badRequest } from '../admin-refusal'

const LONGEST = 254
/** One address: neither a name beside it, nor a list, nor another line of a header. */
const MAIL_ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u
const ONE_WORD = /^[^\s\p{C}]+$/u

/**
 * The address that a message is to go to.
 *
 * @param former where it went before; what goes by mail goes on by mail
 * @returns `undefined` for the same as before
 * @throws AdminRefusal 400
 */
export function readRecipient(to: unknown, former: string | undefined): string | undefined {
  if (to === undefined || to === former) return undefined
  const isMail = former?.includes('@') ?? false
  const pattern = isMail ? MAIL_ADDRESS : ONE_WORD
  if (typeof to === 'string' && to.length <= LONGEST && pattern.test(to)) return to
  const what = isMail ? 'e-mail address' : 'address without spaces'
  throw badRequest(`"to" is one ${what} of ${LONGEST} characters at most.`)
}
