import { abortWf } from '@atscript/moost-wf'
import type { User } from '../accounts/accounts'
import { markOf } from './recovery'
import type { SignIn } from './sign-in'

/** Ends a sign-in that was begun with a password which has been changed since. */
export function assertSamePassword({ passwordMark }: SignIn, user: User): void {
  if (markOf(user) === passwordMark) return
  abortWf('password-changed', {
    message: 'The password was changed meanwhile. Please sign in again.',
    next: '/sign-in',
  })
}
