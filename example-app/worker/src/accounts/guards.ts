import { Before, Interceptor, TInterceptorPriority } from 'moost'
import { Sessions } from './sessions'

/** Lets admins pass, and answers 403 to everybody else. */
@Interceptor(TInterceptorPriority.GUARD)
export class AdminsOnly {
  constructor(private readonly sessions: Sessions) {}

  @Before()
  async check() {
    await this.sessions.withRole('admin')
  }
}

/** Lets pass who is signed in, and answers 401 to everybody else. */
@Interceptor(TInterceptorPriority.GUARD)
export class SignedInOnly {
  constructor(private readonly sessions: Sessions) {}

  @Before()
  async check() {
    await this.sessions.signedIn()
  }
}
