import { createHash } from 'node:crypto'
import { WfError } from '@atscript/moost-wf'
import { Database } from '../database/database'
import type { Hasher } from './passwords'

export type User = NonNullable<Awaited<ReturnType<Database['users']['findOne']>>>
export type Role = User['role']

/** What it takes to make an account. */
export interface NewAccount {
  /** Whoever makes it twice under the same one, with the same password, makes it once. */
  readonly id?: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly password: string
  readonly totpSecret?: string
  readonly recoveryCodes?: readonly string[]
  readonly isDemo?: boolean
}

/** One person, one spelling. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** Who may sign in. */
export class Accounts {
  /** @param withDemo whether the demo accounts, whose passwords everybody knows, count */
  constructor(
    private readonly database: Database,
    private readonly withDemo: boolean,
  ) {}

  async findByEmail(email: string): Promise<User | undefined> {
    return this.#visible(
      await this.database.users.findOne({ filter: { email: normalizeEmail(email) } }),
    )
  }

  async findById(id: string): Promise<User | undefined> {
    return this.#visible(await this.database.users.findOne({ filter: { id } }))
  }

  /** Managers, then admins, each by address. */
  async findApprovers(): Promise<User[]> {
    const filter = { role: { $in: ['admin', 'manager'] as Role[] } }
    const users = await this.database.users.findMany({ filter, controls: { $sort: { email: 1 } } })
    const visible = users.filter(user => this.#visible(user))
    return ['manager', 'admin'].flatMap(role => visible.filter(user => user.role === role))
  }

  /** @returns `undefined` if the address has an account already */
  async create(account: NewAccount, hasher: Hasher): Promise<User | undefined> {
    const { id, name, role, totpSecret, isDemo = false, recoveryCodes = [] } = account
    const email = normalizeEmail(account.email)
    const passwordHash = await hasher.hash(account.password)
    try {
      const row = { email, name, role, totpSecret, isDemo, passwordHash }
      await this.database.users.insertOne(id === undefined ? row : { ...row, id })
    } catch (error) {
      if (!(error instanceof WfError && error.code === 'WF_CONFLICT')) throw error
      const made = await this.findByEmail(email)
      const isOurs = made !== undefined && made.id === id
      return isOurs && (await hasher.isRight(account.password, made.passwordHash))
        ? made
        : undefined
    }
    const user = await this.database.users.findOne({ filter: { email } })
    if (user && recoveryCodes.length > 0) await this.#addRecoveryCodes(user.id, recoveryCodes)
    return user ?? undefined
  }

  /** Sets a password if it is still the one with that hash, and ends all sessions. */
  async changePassword(
    { id, passwordHash }: User,
    password: string,
    hasher: Hasher,
  ): Promise<boolean> {
    const patch = { passwordHash: await hasher.hash(password) }
    const { matchedCount } = await this.database.users.updateMany({ id, passwordHash }, patch)
    if (matchedCount === 0) return false
    await this.database.sessions.deleteMany({ userId: id })
    return true
  }

  /** Whether it was one of the account's codes, which is used up then. */
  async useRecoveryCode(userId: string, code: string): Promise<boolean> {
    const id = recoveryCodeId(userId, code)
    return (await this.database.recoveryCodes.takeOne({ id })) !== null
  }

  /** Which of these codes the account could still use. */
  async unusedRecoveryCodes(userId: string, codes: readonly string[]): Promise<string[]> {
    const rows = await this.database.recoveryCodes.findMany({ filter: { userId } })
    const left = new Set(rows.map(({ id }) => id))
    return codes.filter(code => left.has(recoveryCodeId(userId, code)))
  }

  /** Adds a second factor, if the account has none yet and the password is still the one with that hash. */
  async addSecondFactor(
    { id, passwordHash }: User,
    totpSecret: string,
    recoveryCodes: readonly string[],
  ): Promise<boolean> {
    const filter = { id, passwordHash, totpSecret: null }
    const { matchedCount } = await this.database.users.updateMany(filter, { totpSecret })
    if (matchedCount === 0) return false
    await this.#addRecoveryCodes(id, recoveryCodes)
    return true
  }

  async #addRecoveryCodes(userId: string, codes: readonly string[]): Promise<void> {
    const rows = codes.map(code => ({ id: recoveryCodeId(userId, code), userId }))
    await this.database.recoveryCodes.insertMany(rows)
  }

  #visible(user: User | null): User | undefined {
    return user && (this.withDemo || !user.isDemo) ? user : undefined
  }
}

// People type codes with or without their dashes.
function recoveryCodeId(userId: string, code: string): string {
  const plain = code.replaceAll(/[\s-]/gu, '').toLowerCase()
  return createHash('sha256').update(`${userId}:${plain}`).digest('hex')
}
