import { describe, expect, it } from 'vitest'
import { ref } from 'vue'
import type {
  WfAdminGroup,
  WfAdminRun,
  WfAdminRunView,
  WfAdminStep,
} from '@atscript/moost-wf/admin'
import { filterOf, parseConditions } from '../../example-app/web/admin/conditions'
import { layOutSql } from '../../example-app/web/admin/lay-out-sql'
import { stepTree, type StepNode } from '../../example-app/web/admin/step-tree'
import { offeredCode } from '../../example-app/web/demo/offered-code'
import { totpAt } from '../../example-app/web/demo/totp'
import { fateOf } from '../../example-app/web/demo/fate-of'
import { linkify } from '../../example-app/web/inbox/linkify'
import { isLocalPath } from '../../example-app/web/router/local-path'
import { clockTime, relativeTime } from '../../example-app/web/time/relative-time'
import { byServerClock, hearServerTime } from '../../example-app/web/time/server-clock'
import { totpCode } from '../support/example-app'

const ORIGIN = 'http://localhost:3000'

describe('a path of this site', () => {
  it.each(['/', '/admin?search=a%20b', '/approvals/new#top', '/a//b'])('is %j', path => {
    expect(isLocalPath(path, ORIGIN)).toBe(true)
  })

  it.each([
    '',
    'admin',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    undefined,
    null,
    42,
    ['/'],
  ])('is not %j', path => {
    expect(isLocalPath(path, ORIGIN)).toBe(false)
  })
})

describe('conditions', () => {
  it('become a filter', () => {
    expect(filterOf([])).toBeUndefined()
    const filter = filterOf([
      { column: 'amount', operator: '$gte', value: 5 },
      { column: 'inviteRole', operator: 'empty' },
      { column: 'applicant', operator: 'filled' },
      { column: 'updatedAt', operator: 'before', value: 9 },
    ])
    expect(JSON.parse(filter ?? '')).toEqual({
      $and: [
        { amount: { $gte: 5 } },
        { inviteRole: null },
        { applicant: { $ne: null } },
        { updatedAt: { $lt: 9 } },
      ],
    })
  })

  it('are read from an address that may say anything', () => {
    const kept = [{ column: 'amount', operator: '$gt', value: 1 }]
    expect(parseConditions(JSON.stringify(kept))).toEqual(kept)
    expect(parseConditions('[{"column":"a","operator":"toString"},null,1]')).toEqual([])
    for (const text of [null, '', '{', '{}', '7']) expect(parseConditions(text)).toEqual([])
  })
})

describe('the steps of a workflow', () => {
  const step = (id: string, ...path: number[]): WfAdminStep => ({
    id,
    path,
    status: 'to-come',
    conditional: false,
    loop: false,
  })
  const group = (kind: WfAdminGroup['kind'], ...path: number[]): WfAdminGroup => ({
    kind,
    path,
    conditional: kind === 'group',
  })
  const shapeOf = (nodes: readonly StepNode[]): unknown[] =>
    nodes.map(node => (node.kind === 'step' ? node.step.id : shapeOf(node.nodes)))

  it('stand in their groups, in their order', () => {
    const steps = [
      step('a', 0),
      step('b', 1, 0),
      step('c', 1, 1, 0),
      step('d', 1, 1, 1),
      step('e', 10),
    ]
    const groups = [group('loop', 1), group('group', 1, 1)]
    expect(shapeOf(stepTree(steps, groups))).toEqual(['a', ['b', ['c', 'd']], 'e'])
  })

  it('are not in a group of their own because of a condition', () => {
    const steps = [step('a', 0, 0), step('b', 1, 0)]
    expect(shapeOf(stepTree(steps, [group('group', 0), group('loop', 1)]))).toEqual(['a', ['b']])
  })
})

describe('a run that was in flight when the server was killed', () => {
  const KILLED_AT = 1000
  const fate = (isHeld: boolean, version: number, ...events: (readonly [string, number])[]) =>
    fateOf(
      { version: 3, isHeld } as WfAdminRun,
      { version, history: events.map(([type, at]) => ({ type, at })) } as unknown as WfAdminRunView,
      KILLED_AT,
    )

  it('waits, has gone on, or is taken up again', () => {
    expect(fate(false, 3, ['recovered', 999])).toBe('waits, as before')
    expect(fate(false, 4, ['recovered', 999])).toBe('has gone on')
    expect(fate(true, 3)).toBe('is taken up again when its lease ends')
    expect(fate(true, 5, ['recovered', 1000], ['waiting', 1001])).toBe('was taken up again')
  })
})

describe('times', () => {
  const now = Date.UTC(2026, 0, 15)
  const HOUR = 60 * 60_000

  it.each([
    [-5000, 'just now'],
    [5000, 'in less than a minute'],
    [-30_000, 'just now'],
    [-3 * 60_000, '3 minutes ago'],
    [3 * 24 * HOUR - 1000, 'in 3 days'],
    [-24 * HOUR, '1 day ago'],
    [100 * 60_000, 'in 1 hour'],
    [-47 * HOUR, '1 day ago'],
    [90 * 24 * HOUR, '15 Apr 2026'],
  ])('of %i milliseconds from now are %j', (distance, text) => {
    expect(relativeTime(now + distance, now)).toBe(text)
  })

  it('are counted down', () => {
    expect(clockTime(2 * 24 * HOUR + 4 * HOUR + 65_999)).toBe('2 d 04:01:05')
    expect(clockTime(-1)).toBe('00:00:00')
  })
})

describe('the server’s clock', () => {
  const time = ref(0)
  const now = byServerClock(time)
  const at = Date.UTC(2026, 0, 15, 12)
  const date = new Date(at).toUTCString()

  it('is asked of the answers, and the browser’s is believed where it may be right', () => {
    hearServerTime(date, at + 300, at + 900)
    time.value = at
    expect(now.value).toBe(at)
  })

  it('is followed when the browser’s is wrong, and becomes clearer with every answer', () => {
    const HOUR = 60 * 60_000
    hearServerTime(date, at - HOUR, at - HOUR + 200)
    time.value = at - HOUR
    expect(Math.abs(now.value - at)).toBeLessThan(1000)
    // The second is over at half of it by the browser's clock.
    const next = new Date(at + 1000).toUTCString()
    hearServerTime(next, at - HOUR + 500, at - HOUR + 500)
    expect(Math.abs(now.value - (at + 500))).toBeLessThanOrEqual(400)
  })

  it('is not learnt from an answer without a date', () => {
    const before = now.value
    hearServerTime(null, 0, 0)
    hearServerTime('soon', 0, 0)
    expect(now.value).toBe(before)
  })
})

it('finds links in a mail, and hides the tokens of our own', () => {
  const parts = linkify(
    'Go: http://localhost:3000/accept?wfs=secret or https://example.com/x',
    ORIGIN,
  )
  expect(parts).toEqual([
    { text: 'Go: ' },
    { text: 'http://localhost:3000/accept?…', href: '/accept?wfs=secret', isLocal: true },
    { text: ' or ' },
    { text: 'https://example.com/x', href: 'https://example.com/x' },
  ])
  expect(linkify('javascript:alert(1)', ORIGIN)).toEqual([{ text: 'javascript:alert(1)' }])
})

it('puts each clause of a statement on a line, but no name that looks like one', () => {
  expect(layOutSql('select " from " from "t" where "a" = ? limit 1')).toBe(
    'select " from "\nfrom "t"\nwhere "a" = ?\nlimit 1',
  )
})

it('computes the codes that an authenticator app shows', async () => {
  const code = await totpAt('JBSWY3DPEHPK3PXP', Date.now())
  expect([totpCode(), totpCode(-1)]).toContain(code)
  // RFC 6238, appendix B: the last six of the eight digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(await totpAt(secret, 59_000)).toBe('287082')
})

it('offers no code that was used', async () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(await offeredCode(secret, [], 59_000)).toEqual({ code: '287082', leftMs: 1000 })
  const next = await totpAt(secret, 60_000)
  expect(await offeredCode(secret, [0, 1], 59_000)).toEqual({ code: next, leftMs: 31_000 })
  expect(await offeredCode(secret, [1, 2], 59_000)).toEqual({ leftMs: 1000 })
})
