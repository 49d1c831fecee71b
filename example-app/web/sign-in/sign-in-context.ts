import type { WfClientState } from '@atscript/moost-wf/client'

/** What the server passes along with a form for a code. */
export interface SignInContext {
  readonly by: 'app' | 'mail' | 'recovery'
  /** The address of the account, as far as it is shown. */
  readonly account: string
  readonly triesLeft?: number
  readonly notice?: string
  /** When another code may be mailed. */
  readonly resendAt?: number
  /** The whole address, of an account of the demo. */
  readonly demoAccount?: string
}

/** `undefined` while the password is asked for. */
export const signInContext = (context: WfClientState['context']): SignInContext | undefined =>
  'account' in context ? (context as unknown as SignInContext) : undefined

/** When a button of the form for a mailed code may be pressed again. */
export const resendTimes = (context: WfClientState['context']) => ({ mail: context.resendAt })
