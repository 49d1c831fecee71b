import { type ExampleApp, type Mail, tokenIn, type Visitor } from '../../support/example-app'
import type { Answer } from './send'

/** The form that a token leads to, or that it leads nowhere any more. */
export type TokenKind =
  | 'SignInForm'
  | 'AppCodeForm'
  | 'MailedCodeForm'
  | 'RecoveryCodeForm'
  | 'RecoverForm'
  | 'NewPasswordForm'
  | 'InviteForm'
  | 'AcceptForm'
  | 'ExpenseForm'
  | 'DecisionForm'
  | 'AnswerForm'
  | 'used'

export type Person = 'admin' | 'manager' | 'member'

/** A paused flow as an admin has seen it. */
export interface SeenFlow {
  readonly id: string
  readonly version: number
}

const BATCH = 10
const PASSWORD = 'a-long-enough-password'
/** Those that take a slow hash. */
const MOST_SIGN_INS = 10
const MOST_RECOVERIES = 6

/** The running application, with people who are signed in and tokens that work. */
export class World {
  readonly #app: ExampleApp
  readonly #people: Readonly<Record<Person, Visitor>>
  readonly #tokens = new Map<string, string[]>()
  readonly #making = new Map<TokenKind, Promise<void>>()
  readonly #seenLinks = new Set<string>()
  /** Who accepts the invitation without being fuzzed. */
  readonly #owners = new Set<string>()
  readonly #given = new Set<string>()
  #flows: SeenFlow[] = []
  #job = 'none'
  #count = 0
  #signIns = 0
  #recoveries = 0

  private constructor(app: ExampleApp, people: Readonly<Record<Person, Visitor>>) {
    this.#app = app
    this.#people = people
  }

  static async open(app: ExampleApp): Promise<World> {
    const people = { admin: app.visitor(), manager: app.visitor(), member: app.visitor() }
    await people.admin.signInAdmin()
    await people.manager.signIn('manager@example.com', 'manager-password')
    await people.member.signIn('member@example.com', 'member-password')
    const world = new World(app, people)
    // Some can be had a few times only, and odd requests could use that up before one works.
    for (const make of Object.values(world.#makers)) await make()
    return world
  }

  /** The cookie of somebody who is signed in. */
  session(person: Person): string {
    return this.#people[person].cookies.get('session') ?? ''
  }

  /** A token that works, if one can be made; else one that has worked. */
  async token(kind: TokenKind): Promise<string> {
    const token = await this.#take(kind)
    if (token !== undefined) this.#given.add(kind)
    return token ?? this.#stockOf('used')[0] ?? 'handle.none'
  }

  /** The forms for which no request was given a token that works. */
  missing(): string[] {
    return Object.keys(this.#makers).filter(kind => !this.#given.has(kind))
  }

  async flow(): Promise<SeenFlow> {
    if (this.#flows.length === 0) {
      await this.#makers.InviteForm()
      await this.#makers.AcceptForm()
      const { body } = await this.#people.admin.get('/api/admin/flows?sort=-updatedAt&size=20')
      this.#flows = body.rows
    }
    return this.#flows.shift()!
  }

  /** A job that an admin has started. */
  job(): string {
    return this.#job
  }

  /** An answer may hold the next token of a flow. */
  learn({ text }: Answer): void {
    const [, token] = /"wfs":"([^"]+)"/u.exec(text) ?? []
    const [, form] = /"payload":\{.*?"id":"(\w+)"/u.exec(text) ?? []
    if (token && form) this.#stockOf(form).push(token)
    this.#job = /^\{"job":"([^"]+)"\}/u.exec(text)?.[1] ?? this.#job
  }

  readonly #makers: Readonly<Record<TokenKind, () => Promise<void>>> = {
    SignInForm: () => this.#start('SignInForm', 'auth/login'),
    RecoverForm: () => this.#start('RecoverForm', 'auth/recover'),
    InviteForm: () => this.#start('InviteForm', 'users/invite', this.#people.admin),
    ExpenseForm: () => this.#start('ExpenseForm', 'approvals/expense', this.#people.member),
    AppCodeForm: () => this.#beginSignIn('AppCodeForm'),
    RecoveryCodeForm: () => this.#beginSignIn('RecoveryCodeForm', 'recovery'),
    MailedCodeForm: () => this.#beginSignIn('MailedCodeForm', 'mail'),
    AcceptForm: () => this.#invite(BATCH),
    DecisionForm: () => this.#spend(),
    AnswerForm: () => this.#ask(),
    NewPasswordForm: () => this.#recover(),
    used: () => this.#useUp(),
  }

  async #take(kind: TokenKind): Promise<string | undefined> {
    const stock = this.#stockOf(kind)
    if (stock.length === 0) {
      // Several may want one at the same time.
      const making = this.#making.get(kind) ?? this.#makers[kind]()
      this.#making.set(kind, making)
      // Where nothing is answered any more, there are requests that tell why.
      await making.catch(() => undefined).finally(() => this.#making.delete(kind))
    }
    return stock.shift()
  }

  async #start(kind: TokenKind, wfid: string, visitor = this.#app.visitor()): Promise<void> {
    const answers = await times(BATCH, () => visitor.wf({ wfid }))
    this.#stockOf(kind).push(...answers.map(({ body }) => body.wfs))
  }

  /** An admin's sign-in up to the second factor, or to another one that the action asks for. */
  async #beginSignIn(kind: TokenKind, action?: string): Promise<void> {
    if (++this.#signIns > MOST_SIGN_INS) return
    const visitor = this.#app.visitor()
    const { body } = await visitor.signIn('admin@example.com', 'admin-password')
    const wfs = action ? (await visitor.wf({ wfs: body.wfs, action })).body.wfs : body.wfs
    if (wfs) this.#stockOf(kind).push(wfs)
  }

  async #invite(count: number): Promise<void> {
    await times(count, () => this.#inviteOne(this.#newAddress()))
    await this.#readMails()
  }

  #inviteOne(email: string) {
    return this.#people.admin.wf({ wfid: 'users/invite', input: { email, role: 'member' } })
  }

  async #spend(): Promise<void> {
    const input = { amount: 5, currency: 'EUR', reason: 'Books' }
    await times(BATCH, () => this.#people.member.wf({ wfid: 'approvals/expense', input }))
    await this.#readMails()
  }

  async #ask(): Promise<void> {
    await times(BATCH / 2, async () => {
      const input = { comment: 'Which ones?' }
      return this.#people.manager.wf({ wfs: await this.#take('DecisionForm'), input })
    })
    await this.#readMails()
  }

  /** For an account of its own, so that those who are signed in stay so. */
  async #recover(): Promise<void> {
    if (++this.#recoveries > MOST_RECOVERIES) return
    const visitor = this.#app.visitor()
    const email = this.#newAddress()
    this.#owners.add(email)
    await this.#inviteOne(email)
    const wfs = tokenIn(await this.#app.mailTo(email))
    await visitor.wf({ wfs, input: { name: 'Ida', password: PASSWORD } })
    await visitor.wf({ wfid: 'auth/recover', input: { email } })
    await this.#app.mailTo(email, 'Set a new password')
    await this.#readMails()
  }

  async #useUp(): Promise<void> {
    const wfs = (await this.#take('DecisionForm')) ?? ''
    await this.#people.manager.wf({ wfs, action: 'approve', input: {} })
    this.#stockOf('used').push(wfs)
  }

  /** Links that others have caused are as good: what is odd in their flows comes further that way. */
  async #readMails(): Promise<void> {
    for (const mail of await this.#app.mails()) {
      const token = tokenIn(mail)
      const kind = kindOf(mail)
      if (token === '' || this.#seenLinks.has(token)) continue
      if (kind === 'AcceptForm' && this.#owners.has(mail.to)) continue
      this.#seenLinks.add(token)
      this.#stockOf(kind).push(token)
    }
  }

  #stockOf(kind: string): string[] {
    const stock = this.#tokens.get(kind) ?? []
    this.#tokens.set(kind, stock)
    return stock
  }

  #newAddress(): string {
    return `fuzz-${++this.#count}@example.com`
  }
}

function kindOf({ subject, text }: Mail): TokenKind {
  if (text.includes('/accept?')) return 'AcceptForm'
  if (text.includes('/recover?')) return 'NewPasswordForm'
  return subject.startsWith('A question') ? 'AnswerForm' : 'DecisionForm'
}

function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make))
}
