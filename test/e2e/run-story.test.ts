import type { WfAdminRunEvent, WfAdminRunMessage } from '@atscript/moost-wf/admin'
import { describe, expect, it } from 'vitest'
import { storyOf } from '../../example-app/web/admin/run-story'
import { spanText } from '../../example-app/web/time/span-text'

const event = (seq: number, type: string, given: Partial<WfAdminRunEvent> = {}) => ({
  seq,
  type,
  stepId: null,
  at: seq * 1000,
  actor: null,
  detail: {},
  ...given,
})

const message = (given: Partial<WfAdminRunMessage> = {}): WfAdminRunMessage => ({
  messageId: 'msg_1',
  pause: 4,
  outlet: 'email',
  recipient: 'ada@example.com',
  status: 'sent',
  attempts: 1,
  nextAttemptAt: null,
  lastError: null,
  createdAt: 4000,
  settledAt: 5000,
  opens: 0,
  openedAt: null,
  isAwaited: true,
  ...given,
})

const told = (events: readonly WfAdminRunEvent[], messages: readonly WfAdminRunMessage[] = []) =>
  storyOf(events, messages).map(({ title, lines }) => [title, ...lines.map(({ type }) => type)])

const BEGUN = [
  event(1, 'workflow_created', { actor: 'eve@example.com', detail: { to: 'active' } }),
  event(2, 'step_started', { stepId: 'orders/pack' }),
  event(3, 'step_completed', { stepId: 'orders/pack', detail: { changed: { order: 8 } } }),
  event(4, 'paused', { stepId: 'orders/sign', detail: { from: 'active', to: 'paused' } }),
]

describe('the story of a run', () => {
  it('has a chapter for the beginning, for each step, and for the end', () => {
    const answered = [
      ...BEGUN,
      event(4, 'sent', { at: 5000, detail: { messageId: 'msg_1', attempts: 2 } }),
      event(5, 'resumed', { at: 65_000, actor: 'ada', detail: { action: 'approve' } }),
      event(6, 'step_started', { at: 65_000, stepId: 'orders/sign' }),
      event(7, 'step_completed', { at: 66_000, stepId: 'orders/sign' }),
      event(8, 'workflow_completed', { at: 66_000, detail: { to: 'completed' } }),
    ]
    expect(told(answered, [message()])).toEqual([
      ['The beginning', 'workflow_created'],
      ['pack', 'step_started', 'step_completed'],
      ['sign', 'paused', 'sent', 'resumed', 'step_started', 'step_completed'],
      ['The end', 'workflow_completed'],
    ])
    const [, , opened] = storyOf(answered, [message({ opens: 3, openedAt: 60_000 })])
    expect(opened?.lines[1]?.notes.at(-1)).toMatch(
      /^Opened 3 times, last .*1970.*; scanners of mails open links too$/u,
    )
    const [, , sign] = storyOf(answered, [message()])
    expect(sign).toMatchObject({ stepId: 'orders/sign', tone: 'good', tookMs: 62_000 })
    expect(sign?.lines[1]).toMatchObject({ notes: ['To ada@example.com', '2 attempts'] })
    expect(sign?.lines[2]).toMatchObject({
      words: 'Answered',
      actor: 'ada',
      afterMs: 60_000,
      notes: ['Chosen: approve'],
    })
  })

  it('tells of failures by their code, of a retry, and of a process that was lost', () => {
    const failed = [
      ...BEGUN.slice(0, 2),
      event(3, 'step_failed', {
        stepId: 'orders/pack',
        detail: {
          code: 'WF_INTERNAL',
          error: { name: 'Error', message: 'no more stamps' },
          causes: [{ name: 'Error [ECONNREFUSED]' }],
        },
      }),
      event(4, 'step_started', { stepId: 'orders/pack' }),
      event(5, 'recovered', { actor: 'recovery' }),
      event(6, 'workflow_failed', { stepId: 'orders/pack', detail: { code: 'WF_LOST', times: 6 } }),
      event(7, 'retried', { actor: 'admin' }),
      event(8, 'step_started', { stepId: 'orders/pack' }),
    ]
    expect(told(failed)).toEqual([
      ['The beginning', 'workflow_created'],
      ['pack', 'step_started', 'step_failed', 'step_started', 'recovered'],
      ['The end', 'workflow_failed'],
      ['Tried again', 'retried'],
      ['pack', 'step_started'],
    ])
    const story = storyOf(failed, [])
    expect(story[1]?.lines[1]).toMatchObject({
      tone: 'bad',
      notes: ['Error: WF_INTERNAL', 'Error: no more stamps', 'Caused by Error [ECONNREFUSED]'],
    })
    expect(story[2]).toMatchObject({ tone: 'bad', stepId: null })
  })

  it('makes each round of a loop a chapter', () => {
    const round = (seq: number) => [
      event(seq, 'step_started', { stepId: 'orders/pack' }),
      event(seq + 1, 'step_completed', { stepId: 'orders/pack' }),
    ]
    expect(told([...round(1), ...round(3)])).toHaveLength(2)
  })

  it('tells of a message that still waits, where it was written', () => {
    const waiting = message({
      status: 'waiting',
      attempts: 3,
      lastError: { code: 'WF_OUTLET_FAILED' },
    })
    const story = storyOf([...BEGUN, event(5, 'extended', { at: 9000 })], [waiting])
    expect(story.at(-1)?.lines.map(({ words }) => words)).toEqual([
      'Asked, and waits',
      'Message waits',
      'Extended',
    ])
    expect(story.at(-1)?.lines[1]?.notes).toEqual([
      'To ada@example.com',
      'Error: WF_OUTLET_FAILED',
      '3 attempts',
    ])
  })

  it('tells what each of several people has said in one line, and who was asked in place of whom', () => {
    const seat = { seat: 'bob', to: 'bob@x.com' }
    const [ADA, BOB, EVE] = ['ada@x.com', 'bob@x.com', 'eve@x.com']
    const at = { stepId: 'orders/sign' }
    const asked = [
      { seat: 'ada', to: ADA },
      { seat: 'bob', to: BOB },
    ]
    const panel = [
      event(1, 'paused', { ...at, detail: { asked, from: 'active', to: 'paused' } }),
      event(2, 'resumed', { detail: { from: 'paused', to: 'active' } }),
      event(3, 'answered', {
        ...at,
        detail: { ...seat, stance: 'against', action: 'reject', said: { comment: 'no' } },
      }),
      event(4, 'stayed', { ...at, detail: { indexes: [0], from: 'active', to: 'paused' } }),
      event(5, 'reassigned', { ...at, detail: { seat: 'ada', from: ADA, to: EVE, reason: 'ill' } }),
      event(6, 'resumed', { detail: { from: 'paused', to: 'active' } }),
      event(7, 'answered', { ...at, detail: { seat: 'ada', to: EVE, said: {} } }),
      event(8, 'stayed', {
        ...at,
        detail: { ended: ['bob'], asked: [{ seat: 'c', to: 'c@x.com' }] },
      }),
      event(9, 'stayed', { ...at, detail: { changed: { tries: 1 } } }),
    ]
    const [{ lines }] = storyOf(panel, []) as [ReturnType<typeof storyOf>[number]]
    expect(lines.map(({ words, notes, tone }) => [words, tone, ...notes])).toEqual([
      ['Asked, and waits', 'plain', 'active → paused', `Asked: ${ADA}, ${BOB}`],
      ['Refused', 'mind', BOB, 'Chosen: reject'],
      ['Given to somebody else', 'plain', `${ADA} → ${EVE}`, 'Reason: ill'],
      ['Answered, and goes on asking', 'plain', EVE],
      ['Asks others', 'mind', 'Asked: c@x.com', 'Not asked any more: bob'],
      ['Asked again', 'mind'],
    ])
    expect(lines.map(({ said }) => said)).toEqual([
      undefined,
      { comment: 'no' },
      ...Array.from({ length: 4 }),
    ])
  })

  it('tells of events that it does not know, in words', () => {
    const odd = [event(1, 'handed_over', { actor: 'ada' }), event(2, '__proto__'), event(3, '')]
    expect(storyOf(odd, [])[0]?.lines.map(({ words }) => words)).toEqual([
      'Handed over',
      'Proto',
      '',
    ])
    expect(storyOf([], [])).toEqual([])
  })

  it.each([
    [0, '0 ms'],
    [340, '340 ms'],
    [1000, '1 s'],
    [65_000, '1 min 5 s'],
    [3_600_000, '1 h'],
    [273_600_000, '3 d 4 h'],
    [-5, '0 ms'],
  ])('says %i milliseconds as %s', (ms, text) => expect(spanText(ms)).toBe(text))
})
