import { createHash } from 'node:crypto'
import { outletEmail } from '@atscript/moost-wf'
import type { User } from '../accounts/accounts'

/** The context of a password recovery. */
export interface Recovery {
  email: string
  /** Missing if there is no such account, or if it had enough mails. */
  userId?: string
  /** Tells whether the password is still the one that was forgotten. */
  passwordMark?: string
  isMailed?: boolean
}

/**
 * The mail with the link; for an unknown account nothing is sent, and nobody can tell. Whoever asked
 * cannot watch it either: that it was answered would say that there is an account.
 */
export const recoveryLink = ({ email, userId }: Recovery) =>
  outletEmail(
    email,
    'recovery',
    { isSilent: true, isKnown: userId !== undefined },
    { watch: false },
  )

/** Changes with the password, and tells nothing about it. */
export const markOf = ({ passwordHash }: User): string =>
  createHash('sha256').update(passwordHash).digest('hex')
