import { HttpError, useCookies, useResponse } from '@atscript/moost-wf/http'
import type { Database } from '../database/database'
import type { Accounts, Role, User } from './accounts'

const COOKIE = 'session'
const LIFETIME_MS = 7 * 24 * 60 * 60_000

/** Who is signed in. The cookie is random; the database holds a hash of it. */
export class Sessions {
  /** @param isSecure whether users come over TLS */
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly isSecure: boolean,
  ) {}

  /** The cookies that sign a user in. A session that the browser had before ends. */
  async start(user: User) {
    const token = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
    const expiresAt = Date.now() + LIFETIME_MS
    await this.database.sessions.insertOne({ id: await hashOf(token), userId: user.id, expiresAt })
    await this.#remove()
    return { [COOKIE]: { value: token, options: this.#attributes(LIFETIME_MS) } }
  }

  /** The user whose browser sent this request. */
  async current(): Promise<User | undefined> {
    const token = useCookies().getCookie(COOKIE)
    if (!token) return undefined
    const session = await this.database.sessions.findOne({ filter: { id: await hashOf(token) } })
    if (!session || session.expiresAt <= Date.now()) return undefined
    return this.accounts.findById(session.userId)
  }

  /** @throws HttpError 401 */
  async signedIn(): Promise<User> {
    const user = await this.current()
    if (!user) throw new HttpError(401, 'Please sign in.')
    return user
  }

  /** @throws HttpError 403, also for those who are not signed in */
  async withRole(role: Role): Promise<User> {
    const user = await this.current()
    if (user?.role !== role) throw new HttpError(403, `This is for the role "${role}".`)
    return user
  }

  /** Signs out. */
  async end(): Promise<void> {
    await this.#remove()
    useResponse().setCookie(COOKIE, '', this.#attributes(0))
  }

  async #remove(): Promise<void> {
    const token = useCookies().getCookie(COOKIE)
    if (token) await this.database.sessions.deleteMany({ id: await hashOf(token) })
  }

  #attributes(maxAgeMs: number) {
    return {
      httpOnly: true,
      path: '/',
      sameSite: 'Lax' as const,
      secure: this.isSecure,
      maxAge: `${maxAgeMs / 1000}s` as const,
    }
  }
}

async function hashOf(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}
