import { message, type Message, type Pair } from './message'
import type { Random } from './random'
import type { Person, TokenKind, World } from './world'

/** A request that is right, with all that it needs. */
export interface RightRequest {
  readonly name: string
  /** How often it is taken; those that hash a password are slow on purpose. */
  readonly weight: number
  build(world: World, random: Random): Promise<Message>
}

const ADDRESSES = ['ida@example.com', 'nobody@example.com', 'Grace.Hopper+x@sub.example.org']
const PASSWORD = 'a-long-enough-password'
const SLOW = 2
const USUAL = 4

const cookiesOf = (world: World, who: Person | undefined): Pair[] =>
  who ? [['session', world.session(who)]] : []

/** Each from another address, or limits would soon hide what is behind them. */
function fromAnywhere(random: Random): Pair[] {
  const address = [203, random.below(256), random.below(256), random.below(256)].join('.')
  return [['x-forwarded-for', address]]
}

type Build = (world: World, random: Random) => Promise<Message> | Message

function right(name: string, build: Build, weight = USUAL): RightRequest {
  const buildFromAnywhere = async (world: World, random: Random) => {
    const built = await build(world, random)
    return { ...built, headers: [...fromAnywhere(random), ...built.headers] }
  }
  return { name, weight, build: buildFromAnywhere }
}

interface Body {
  readonly who?: Person
  readonly weight?: number
  readonly body: (random: Random) => Record<string, unknown>
}

const start = (wfid: string, { who, body, weight }: Body) =>
  right(
    `start ${wfid}`,
    (world, random) =>
      message('POST', '/api/wf', {
        json: { wfid, ...body(random) },
        cookies: cookiesOf(world, who),
      }),
    weight,
  )

const goOn = (kind: TokenKind, { who, body, weight }: Body) =>
  right(
    `go on at ${kind}`,
    async (world, random) =>
      message('POST', '/api/wf', {
        json: { wfs: await world.token(kind), ...body(random) },
        cookies: cookiesOf(world, who),
      }),
    weight,
  )

const look = (method: 'GET' | 'HEAD', kind: TokenKind, accept: string) =>
  right(`${method} of ${kind}`, async world =>
    message(method, '/api/wf', {
      query: [['wfs', await world.token(kind)]],
      headers: [['accept', accept]],
    }),
  )

const address = (random: Random) => random.pick(ADDRESSES)
const expense = (random: Random) => ({
  amount: 1 + random.below(2000),
  currency: 'EUR',
  reason: 'Books',
})
const decision = (random: Random) => ({
  action: random.pick(['approve', 'reject', 'delegate', undefined]),
  input: { comment: 'Why?', delegateTo: address(random) },
})
const nothing = () => ({})

const FLOWS: readonly RightRequest[] = [
  start('auth/login', { body: nothing }),
  start('auth/login', {
    weight: SLOW,
    body: random => ({ input: { email: address(random), password: PASSWORD } }),
  }),
  start('auth/recover', { body: nothing }),
  start('auth/recover', { body: random => ({ input: { email: address(random) } }) }),
  start('users/invite', { who: 'admin', body: nothing }),
  start('users/invite', {
    who: 'admin',
    body: random => ({ input: { email: address(random), role: 'member' } }),
  }),
  start('approvals/expense', { who: 'member', body: nothing }),
  start('approvals/expense', { who: 'member', body: random => ({ input: expense(random) }) }),
  goOn('SignInForm', {
    weight: SLOW,
    body: random => ({ input: { email: address(random), password: PASSWORD } }),
  }),
  goOn('AppCodeForm', { body: () => ({ input: { code: '000000' } }) }),
  goOn('AppCodeForm', { body: random => ({ action: random.pick(['mail', 'recovery']) }) }),
  goOn('MailedCodeForm', { body: () => ({ input: { code: '000000' } }) }),
  goOn('RecoveryCodeForm', { body: () => ({ input: { code: 'demo-9999' } }) }),
  goOn('RecoveryCodeForm', { body: () => ({ action: 'app' }) }),
  goOn('RecoverForm', { body: random => ({ input: { email: address(random) } }) }),
  goOn('NewPasswordForm', { body: nothing, weight: SLOW }),
  goOn('NewPasswordForm', { body: () => ({ input: { password: PASSWORD } }), weight: SLOW }),
  goOn('InviteForm', {
    who: 'admin',
    body: random => ({ input: { email: address(random), role: 'manager' } }),
  }),
  goOn('AcceptForm', { body: nothing }),
  goOn('AcceptForm', {
    weight: SLOW,
    body: () => ({ input: { name: 'Ida', password: PASSWORD } }),
  }),
  goOn('ExpenseForm', { who: 'member', body: random => ({ input: expense(random) }) }),
  goOn('DecisionForm', { body: nothing }),
  goOn('DecisionForm', { who: 'manager', body: decision }),
  goOn('AnswerForm', { who: 'member', body: () => ({ input: { comment: 'Because.' } }) }),
  goOn('used', { body: random => ({ restart: random.chance(0.5), ...decision(random) }) }),
  goOn('RecoverForm', {
    body: random => ({ requestId: `r-${random.below(50)}`, input: { email: address(random) } }),
  }),
  look('GET', 'AcceptForm', 'application/json'),
  look('GET', 'DecisionForm', 'text/html'),
  look('HEAD', 'SignInForm', '*/*'),
]

const FILTERS: readonly object[] = [
  { schemaId: 'users/invite' },
  { $and: [{ amount: { $gte: 10 } }, { applicant: 'member@example.com' }] },
  { $or: [{ inviteEmail: { $contains: 'fuzz' } }, { inviteRole: { $in: ['admin', 'member'] } }] },
  { $not: { approver: null } },
  { updatedAt: { $gt: 0, $lt: 4e12 }, amount: { $ne: 7 } },
  { approver: { $exists: true } },
]

const read = (path: string, query: (random: Random) => Pair[] = () => [], isFiltered = false) =>
  right(`GET ${path}`, (world, random) =>
    message('GET', `/api/admin/${path}`, {
      query: query(random),
      filter: isFiltered ? random.pick(FILTERS) : undefined,
      cookies: cookiesOf(world, 'admin'),
    }),
  )

const act = (what: string, fields: (random: Random) => object = nothing) =>
  right(`${what} a flow`, async (world, random) => {
    const { id, version } = await world.flow()
    return message('POST', `/api/admin/flows/${id}/${what}`, {
      json: { version, ...fields(random) },
      cookies: cookiesOf(world, 'admin'),
    })
  })

const run = (job: string, json: object) =>
  right(job, world =>
    message('POST', `/api/admin/${job}`, { json, cookies: cookiesOf(world, 'admin') }),
  )

const ADMIN: readonly RightRequest[] = [
  read('columns'),
  read('counts'),
  read('jobs'),
  read('flows'),
  read('flows', () => [], true),
  read('flows', random => [['sort', random.pick(['-updatedAt', 'amount,-schemaId'])]], true),
  read('flows', random => [['search', random.pick(['member', 'FUZZ', 'approvals/', '%'])]]),
  read('flows', random => [
    ['status', random.pick(['all', 'live', 'expired'])],
    ['page', String(1 + random.below(3))],
    ['size', '7'],
  ]),
  read('run-columns'),
  read('run-counts', random => [['state', random.pick(['all', 'live', 'expired'])]]),
  read('run-funnel', () => [['workflow', 'users/invite']]),
  read('run-trends', random => [['span', random.pick(['day', 'week', 'month'])]]),
  read('runs', random => [
    ['state', random.pick(['live', 'error', 'done', 'cancelled', 'expired'])],
    ['step', 'users/acceptance'],
    ['size', '7'],
  ]),
  read('runs', random => [
    ['search', random.pick(['member', 'FUZZ', '%', "' or 1=1 --"])],
    ['inside', random.pick(['', 'context'])],
  ]),
  read('run-export', random => [
    ['format', random.pick(['csv', 'json'])],
    ['columns', 'inviteEmail,inviteRole'],
  ]),
  right('preview an action', (world, random) =>
    message('POST', '/api/admin/run-actions/preview', {
      json: {
        action: random.pick(['cancel', 'retry', 'remind', 'resend', 'reassign']),
        select: { state: 'live', workflow: 'users/invite' },
        from: 'ada@example.com',
        to: 'bob@example.com',
      },
      cookies: cookiesOf(world, 'admin'),
    }),
  ),
  right('show a job', world =>
    message('GET', `/api/admin/jobs/${world.job()}`, { cookies: cookiesOf(world, 'admin') }),
  ),
  right('show a flow', async world => {
    const { id } = await world.flow()
    return message('GET', `/api/admin/flows/${id}`, { cookies: cookiesOf(world, 'admin') })
  }),
  act('revoke'),
  act('extend', random =>
    random.chance(0.5) ? { ttlMs: 60_000 } : { expiresAt: Date.now() + 1e6 },
  ),
  act('resend'),
  run('heal', {}),
  run('cleanup', { retentionMs: 60_000 }),
]

const PAGES = ['/', '/sign-in', '/accept', '/approvals/new', '/favicon.svg', '/assets/none.js']

const OTHERS: readonly RightRequest[] = [
  right('GET /api/me', world => message('GET', '/api/me', { cookies: cookiesOf(world, 'member') })),
  right('GET /api/approvals', (world, random) =>
    message('GET', '/api/approvals', {
      cookies: cookiesOf(world, random.pick(['member', 'manager'])),
    }),
  ),
  // What comes through a proxy is told that there is none.
  { name: 'GET /api/inbox', weight: USUAL, build: async () => message('GET', '/api/inbox') },
  right('POST /api/logout', () =>
    message('POST', '/api/logout', { json: {}, cookies: [['session', 'nobody']] }),
  ),
  right('a page', (_, random) => message(random.pick(['GET', 'HEAD']), random.pick(PAGES))),
]

/** One or more of every route, form and action. */
export const RIGHT_REQUESTS: readonly RightRequest[] = [...FLOWS, ...ADMIN, ...OTHERS]
