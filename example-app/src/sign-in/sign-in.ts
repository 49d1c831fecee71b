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
}
