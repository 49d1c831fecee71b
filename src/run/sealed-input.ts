import { Rejection } from './rejection'

interface Seal {
  readonly input: unknown
  isOpened: boolean
}

const seals = new WeakMap<object, Seal>()

const refuse = (): never => {
  throw unstorable()
}

/**
 * Closes an input with text that cannot be kept. A form opens it, and says which field is wrong;
 * whoever else looks into it refuses the request.
 */
export function sealInput(input: unknown): Readonly<Record<string, unknown>> {
  const sealed = new Proxy(Object.freeze({}), {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getOwnPropertyDescriptor: refuse,
  })
  seals.set(sealed, { input, isOpened: false })
  return sealed
}

/** What was sent, for a form that checks every text in it. */
export function openInput(input: unknown): unknown {
  const seal = seals.get(input as object)
  if (!seal) return input
  seal.isOpened = true
  return seal.input
}

/** What was sent, for those who neither keep it nor hand it on. */
export function readThrough(input: unknown): unknown {
  const seal = seals.get(input as object)
  return seal ? seal.input : input
}

/**
 * Refuses an input that no form has looked at.
 *
 * @throws Rejection
 */
export function assertOpened(input: unknown): void {
  if (seals.get(input as object)?.isOpened === false) throw unstorable()
}

/** The answer to a body with text that cannot be kept. */
export function unstorable(): Rejection {
  return new Rejection('WF_BAD_REQUEST', {
    message: 'The body holds a character that cannot be kept: NUL, or half of one.',
  })
}
