import { badRequest } from '../admin-refusal'
import { isSameAddress } from './asked-parts'

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
  return to === undefined || to === former ? undefined : readAddress(to, former)
}

/**
 * The address of whoever is to have the part of somebody else.
 *
 * @throws AdminRefusal 400
 */
export function readNewRecipient(to: unknown, former: string): string {
  const address = readAddress(to, former)
  if (isSameAddress(address, former)) throw badRequest('"to" is who has it already.')
  return address
}

/**
 * Who must be signed in, where somebody must.
 *
 * @throws AdminRefusal 400
 */
export function readUser({ user }: Readonly<Record<string, unknown>>): string | undefined {
  if (user === undefined || isText(user)) return user
  throw badRequest(`"user" is a text of ${LONGEST} characters at most.`)
}

/**
 * The address of somebody who is asked.
 *
 * @throws AdminRefusal 400
 */
export function readFormer(from: unknown): string {
  if (isText(from)) return from
  throw badRequest(`"from" is the address of somebody, of ${LONGEST} characters at most.`)
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST

function readAddress(to: unknown, former: string | undefined): string {
  const isMail = former?.includes('@') ?? false
  const pattern = isMail ? MAIL_ADDRESS : ONE_WORD
  if (typeof to === 'string' && to.length <= LONGEST && pattern.test(to)) return to
  const what = isMail ? 'e-mail address' : 'address without spaces'
  throw badRequest(`"to" is one ${what} of ${LONGEST} characters at most.`)
}
