/** How the second factor is shown. */
export type CodeSource = 'app' | 'mail' | 'recovery'

/** What a sign-in knows once the password was right. */
export interface SignIn {
  userId: string
  /** Tells whether the password is still the one that was right. */
  passwordMark: string
  /** Names this sign-in where its wrong codes are counted. */
  signInId: string
  by: CodeSource
  isVerified: boolean
  /** Whose account it is, as far as it is shown. */
  account: string
  /** The address, if it is an account of the demo, which everybody knows. */
  demoAccount?: string
  /** How many wrong codes are left; not known before the first one. */
  triesLeft?: number
  /** When another code may be mailed, in milliseconds since the epoch. */
  resendAt?: number
  /** What has just been done. */
  notice?: string
}
