import {
  createEmailOutlet,
  createWfRunner,
  HandleStateStrategy,
  type WfEmail,
  WfLedgerMemory,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { openApprovals } from '../support/approval-app'

const silent = { log() {}, info() {}, debug() {}, warn() {}, error() {} }

/** A runner beside an endpoint: what asks is no request, and has no headers. */
async function openRunner() {
  const { wf, ran } = await openApprovals({ guarded: false })
  const mails: WfEmail[] = []
  const runner = createWfRunner(
    {
      state: new HandleStateStrategy({ store: new WfStateStoreMemory() }),
      ledger: new WfLedgerMemory(),
      outlets: [createEmailOutlet(async mail => void mails.push(mail))],
      logger: silent as never,
    },
    wf,
  )
  const sent = await runner.start('leave/request')
  ran.length = 0
  const watch = sent.kind === 'sent' ? sent.watch! : ''
  return { runner, ran, watch, token: mails[0]!.token }
}

describe('a link that names its form, without HTTP', () => {
  it('is looked at and opened without running anything, and used by an answer', async () => {
    const { runner, ran, token } = await openRunner()
    expect(await runner.peek(token)).toMatchObject({
      kind: 'resumable',
      payload: { id: 'DecisionForm' },
      context: {},
    })
    const opened = await runner.resume(token)
    expect(opened).toMatchObject({ kind: 'paused', token, context: { reason: 'the sea' } })
    const wrong = await runner.resume(token, { input: { decision: 'maybe' } })
    expect(wrong).toMatchObject({ kind: 'paused', token, context: { errors: {} } })
    expect(ran).toEqual([])
    const done = await runner.resume(token, { input: { decision: 'approve' } })
    expect(done).toMatchObject({ kind: 'finished' })
    const late = await runner.resume(token)
    expect(late).toMatchObject({ kind: 'refused', code: 'WF_USED', answered: {} })
  })
})

describe('a message that went to someone else, without HTTP', () => {
  it('can be watched by whoever has sent it, and by nobody else', async () => {
    const { runner, token, watch } = await openRunner()
    expect(await runner.watch(watch)).toEqual({ kind: 'watching', state: 'waiting' })
    const refused = { kind: 'refused', code: 'WF_STATE_GONE' }
    for (const guess of [token, `${watch}x`, undefined, 7, { watch }]) {
      expect(await runner.watch(guess as string)).toMatchObject(refused)
    }
    expect(await runner.resume(watch)).toMatchObject(refused)
    expect(await runner.peek(watch)).toMatchObject(refused)
    await runner.resume(token, { input: { decision: 'approve' } })
    const at = expect.any(Number)
    expect(await runner.watch(watch)).toEqual({ kind: 'watching', state: 'ended', at })
  })
})
