import { WfError } from '@atscript/moost-wf'
import type { UserRow } from '../../schemas/Accounts.as'
import type { Database } from '../database/database'
import { hashPassword, isPassword } from './password-hash'

export type User = UserRow
export type Role = User['role']

export interface NewAccount {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly password: string
}

/** One spelling for each address. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** Those who may sign in. */
export class Accounts {
  /** @param withDemo whether accounts of the demo count, whose passwords everybody knows */
  constructor(
    private readonly database: Database,
    private readonly withDemo: boolean,
  ) {}

  async findByEmail(email: string): Promise<User | undefined> {
    return this.#find({ email })
  }

  async findById(id: string): Promise<User | undefined> {
    return this.#find({ id })
  }

  /** Who decides about somebody's expense. Nobody decides about their own. */
  async findApprover(applicant: string): Promise<User | undefined> {
    const filter = { role: { $in: ['manager', 'admin'] as Role[] }, email: { $ne: applicant } }
    // Managers before admins, and those first who were here first.
    const controls = { $sort: { role: -1, createdAt: 1 } } as const
    const found = await this.database.users.findMany({ filter, controls })
    return found.find(user => this.#counts(user))
  }

  /** The addresses of all, in an order that stays. */
  async addresses(): Promise<string[]> {
    const users = await this.database.users.findMany({
      filter: {},
      controls: { $sort: { email: 1 } },
    })
    return users.filter(user => this.#counts(user)).map(({ email }) => email)
  }

  /** @returns `undefined` if the address has an account already; the same id and password may come twice */
  async create({ password, ...account }: NewAccount): Promise<User | undefined> {
    const passwordHash = await hashPassword(password)
    try {
      await this.database.users.insertOne({ ...account, passwordHash, isDemo: false })
    } catch (error) {
      if (!(error instanceof WfError && error.code === 'WF_CONFLICT')) throw error
    }
    const user = await this.findByEmail(account.email)
    if (user?.id !== account.id) return undefined
    return (await isPassword(password, user.passwordHash)) ? user : undefined
  }

  async #find(filter: { id: string } | { email: string }): Promise<User | undefined> {
    const user = await this.database.users.findOne({ filter })
    return user && this.#counts(user) ? user : undefined
  }

  #counts({ isDemo }: User): boolean {
    return this.withDemo || !isDemo
  }
}
