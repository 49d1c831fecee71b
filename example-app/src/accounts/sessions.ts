import { createHash, randomBytes } from 'node:crypto'
import { HttpError, useCookies, useRequest, useResponse } from '@atscript/moost-wf/http'
import { Database } from '../database/database'
import { Accounts, type Role, type User } from './accounts'

const COOKIE = 'session'
const LIFETIME_MS = 7 * 24 * 60 * 60_000

/** Who is signed in. The cookie is random; the database holds a hash of it. */
export class Sessions {
  /** @param isSecure whether users come over TLS, which a proxy in front of us may end */
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly isSecure: boolean,
  ) {}

  /** The cookies that sign a user in. A session that the browser had before ends. */
  async start(user: User) {
    const token = randomBytes(32).toString('base64url')
    const expiresAt = Date.now() + LIFETIME_MS
    await this.database.sessions.insertOne({ id: hashOf(token), userId: user.id, expiresAt })
    await this.#remove()
    return { [COOKIE]: { value: token, options: this.#attributes(LIFETIME_MS) } }
  }

  /** The user whose browser sent this request. */
  async current(): Promise<User | undefined> {
    const token = useCookies().getCookie(COOKIE)
    if (!token) return undefined
    const session = await this.database.sessions.findOne({ filter: { id: hashOf(token) } })
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
    if (token) await this.database.sessions.deleteMany({ id: hashOf(token) })
  }

  #attributes(maxAgeMs: number) {
    const { encrypted = false } = useRequest().raw.socket as { encrypted?: boolean }
    return {
      httpOnly: true,
      path: '/',
      sameSite: 'Lax' as const,
      secure: this.isSecure || encrypted,
      maxAge: `${maxAgeMs / 1000}s` as const,
    }
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
