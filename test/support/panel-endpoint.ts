import {
  createAsHttpOutlet,
  createWfRuns,
  DurableStateStrategy,
  handOn,
  WfLedgerMemory,
  type WfOutletConfig,
} from '@atscript/moost-wf'
import { useHeaders } from '@atscript/moost-wf/http'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { assert, vi } from 'vitest'
import { SECRET } from './durable-app'
import { openFormApp } from './form-app'
import { ADA, askAll, BOB, type Expense, keepMails, panelWorkflows } from './panel-app'
import type { Door } from './shop'

/** An endpoint at which Ada and Bob are asked; whoever asks is who `x-user` says. */
export async function openPanel(
  door: Door = 'a socket',
  asked: Partial<Pick<Expense, 'people' | 'how'>> = {},
  more: Partial<WfOutletConfig> = {},
) {
  const clock = new FakeClock()
  const runs = new WfRunStoreMemory({ clock, outbox: true })
  const { mails, codes, outlets } = keepMails()
  const { Expenses, deeds } = panelWorkflows()
  deeds.decide = (ctx, answers, input, action) =>
    action === 'delegate' ? handOn({ to: input!.comment! }) : askAll(ctx, answers, input, action)
  const context: Expense = {
    people: [{ to: ADA }, { to: BOB }],
    how: { quorum: 'all' },
    amount: 7,
    history: [],
    ...asked,
  }
  const config = {
    state: new DurableStateStrategy({ runs, secret: SECRET }),
    outlets: [createAsHttpOutlet(), ...outlets],
    ledger: new WfLedgerMemory({ clock }),
    clock,
    initialContext: () => context,
    actor: () => useHeaders()['x-user'] as string | undefined,
    ...more,
  }
  const app = await openFormApp(Expenses, config, 'as', door)
  const api = createWfRuns({ ...config, worker: false }, app.wf)
  await app.send({ wfid: 'expense/approve' })
  await api.runDue()
  const linkOf = (to: string) => mails.findLast(({ target }) => target === to)!.token
  const as = (user?: string): Record<string, string> =>
    user === undefined ? {} : { 'x-user': user }
  return {
    url: app.url,
    api,
    clock,
    codes,
    ask: app.ask,
    send: app.send,
    linkOf,
    say: (wfs: string, action: string, user?: string, more: object = {}) =>
      app.send({ wfs, action, input: {}, ...more }, as(user)),
    open: (wfs: string, user?: string) => app.send({ wfs }, as(user)),
    /** Asks for a code by the link of somebody, and reads it where it has arrived. */
    async codeFor(to: string): Promise<string> {
      const former = codes.length
      await app.send({ wfs: linkOf(to), sendCode: true })
      await vi.waitFor(() => assert(codes.length > former))
      return codes.at(-1)!.code
    },
    look: (wfs: string, user?: string) =>
      app.ask({ method: 'GET', query: `?wfs=${encodeURIComponent(wfs)}`, headers: as(user) }),
  }
}

export type Panel = Awaited<ReturnType<typeof openPanel>>
