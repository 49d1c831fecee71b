import {
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  outletHttp,
  Step,
  type TWorkflowSchema,
  WfError,
  WfStateStoreMemory,
  Workflow,
  WorkflowMigration,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfMigrate } from '@atscript/moost-wf/moost'
import type { WfMove } from '@atscript/moost-wf/run'
import { Post } from '@atscript/moost-wf/http'
import { Controller, getMoostInfact } from 'moost'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'

interface Trip {
  done: string[]
  again?: boolean
  vip?: boolean
}

type Schema = TWorkflowSchema<Trip>

const isVip = (ctx: Trip) => ctx.vip === true
const isPlain = (ctx: Trip) => ctx.vip !== true
const goesRound = (ctx: Trip) => ctx.again === true

/** A build of the application, with this definition of the workflow. */
async function build(schema: Schema, store: WfStateStoreMemory, migrate: WfMigrate = () => null) {
  // Moost and Wooks keep what they know for the whole process; another build starts from nothing.
  getMoostInfact()._cleanup()
  const moves: WfMove[] = []
  const ran: string[] = []

  function ask(id: string, ctx: Trip, input: unknown) {
    if (input !== id) return outletHttp({ at: id })
    ctx.done.push(id)
    ran.push(id)
  }

  @Controller('trip')
  class Trips {
    @Workflow('plan')
    @WorkflowSchema<Trip>(schema)
    @WorkflowMigration(migrate)
    plan() {}

    @Step('a')
    a(@WorkflowParam('context') ctx: Trip, @WorkflowParam('input') input?: string) {
      return ask('a', ctx, input)
    }

    @Step('b')
    b(@WorkflowParam('context') ctx: Trip, @WorkflowParam('input') input?: string) {
      return ask('b', ctx, input)
    }

    @Step('c')
    c(@WorkflowParam('context') ctx: Trip, @WorkflowParam('input') input?: string) {
      return ask('c', ctx, input)
    }

    @Step('d')
    d(@WorkflowParam('context') ctx: Trip, @WorkflowParam('input') input?: string) {
      return ask('d', ctx, input)
    }

    @Step('e')
    e(@WorkflowParam('context') ctx: Trip, @WorkflowParam('input') input?: string) {
      return ask('e', ctx, input)
    }

    @Step('f')
    f(@WorkflowParam('context') ctx: Trip, @WorkflowParam('input') input?: string) {
      return ask('f', ctx, input)
    }
  }

  @Controller()
  class Endpoint {
    constructor(readonly wf: MoostWf) {}

    @Post('wf')
    handle() {
      const state = new HandleStateStrategy({ store })
      const onMoved = (move: WfMove) => void moves.push(move)
      const initialContext = () => ({ done: [] })
      return handleAsOutletRequest({ state, onMoved, initialContext }, this.wf)
    }
  }

  const { url } = await startApp([Trips, Endpoint])
  return { moves, ran, send: (body: object) => request(url, body, {}) }
}

/** The steps at which a run of this definition can pause, in the order of the schema. */
function stepsOf(schema: Schema): string[] {
  return schema.flatMap(item => {
    if (typeof item === 'string') return [item]
    if ('steps' in item && item.steps) return stepsOf(item.steps as Schema)
    return 'id' in item && typeof item.id === 'string' ? [item.id] : []
  })
}

const OLD: Schema = ['a', 'b', { condition: isPlain, steps: ['c'] }, 'd']

/** Thirty ways in which a definition changes from one deploy to the next. */
const EDITS: Readonly<Record<string, Schema>> = {
  nothing: OLD,
  'another condition of the same kind': ['a', 'b', { condition: isVip, steps: ['c'] }, 'd'],
  'insert at the start': ['e', ...OLD],
  'insert in the middle': ['a', 'e', 'b', { condition: isPlain, steps: ['c'] }, 'd'],
  'insert before the end': ['a', 'b', { condition: isPlain, steps: ['c'] }, 'e', 'd'],
  'insert at the end': [...OLD, 'e'],
  'insert into the group': ['a', 'b', { condition: isPlain, steps: ['e', 'c'] }, 'd'],
  'insert two': ['e', 'a', 'f', 'b', { condition: isPlain, steps: ['c'] }, 'd'],
  'remove the first': ['b', { condition: isPlain, steps: ['c'] }, 'd'],
  'remove the second': ['a', { condition: isPlain, steps: ['c'] }, 'd'],
  'remove the group': ['a', 'b', 'd'],
  'remove the last': ['a', 'b', { condition: isPlain, steps: ['c'] }],
  'remove all but one': ['c'],
  'replace all': ['e', 'f'],
  'rename the first': ['e', 'b', { condition: isPlain, steps: ['c'] }, 'd'],
  'rename the last': ['a', 'b', { condition: isPlain, steps: ['c'] }, 'e'],
  'rename in the group': ['a', 'b', { condition: isPlain, steps: ['e'] }, 'd'],
  'swap two': ['b', 'a', { condition: isPlain, steps: ['c'] }, 'd'],
  'turn around': ['d', { condition: isPlain, steps: ['c'] }, 'b', 'a'],
  'last comes first': ['d', 'a', 'b', { condition: isPlain, steps: ['c'] }],
  'nest the first two': [{ steps: ['a', 'b'] }, { condition: isPlain, steps: ['c'] }, 'd'],
  'nest twice': [{ steps: [{ steps: ['a'] }, 'b'] }, { condition: isPlain, steps: ['c'] }, 'd'],
  unnest: ['a', 'b', 'c', 'd'],
  'a condition on a step': [
    'a',
    { id: 'b', condition: isPlain },
    { condition: isPlain, steps: ['c'] },
    'd',
  ],
  'a condition less': ['a', 'b', { steps: ['c'] }, 'd'],
  'into a loop': [
    'a',
    { while: goesRound, steps: ['b'] },
    { condition: isPlain, steps: ['c'] },
    'd',
  ],
  'all in a loop': [{ while: goesRound, steps: OLD }],
  'a break before': ['a', { break: goesRound }, 'b', { condition: isPlain, steps: ['c'] }, 'd'],
  'the same step twice': ['a', 'b', 'a', { condition: isPlain, steps: ['c'] }, 'd'],
  'every step twice': [...OLD, ...OLD],
  'a loop of two': [
    'a',
    { while: goesRound, steps: ['b', 'd'] },
    { condition: isPlain, steps: ['c'] },
  ],
}

/** What must become of a flow that waits at `step`: it goes on there, or it is refused. */
function expectation(step: string, schema: Schema): 'same' | 'moved' | 'refused' {
  if (schema === OLD || schema === EDITS['another condition of the same kind']) return 'same'
  return stepsOf(schema).filter(id => id === step).length === 1 ? 'moved' : 'refused'
}

/** Pauses a flow at `step` in the old definition. */
async function pauseAt(step: string, store: WfStateStoreMemory): Promise<string> {
  const old = await build(OLD, store)
  let { body } = await old.send({ wfid: 'trip/plan' })
  while (body.inputRequired.payload.at !== step) {
    body = (await old.send({ wfs: body.wfs, input: body.inputRequired.payload.at })).body
  }
  return body.wfs
}

describe('a flow whose workflow was changed by a deploy', () => {
  it.each(
    Object.entries(EDITS).flatMap(([edit, schema]) =>
      stepsOf(OLD).map(step => ({ edit, step, schema })),
    ),
  )(
    'goes on at its step or is refused, never at another: $edit, paused at $step',
    async ({ step, schema }) => {
      const store = new WfStateStoreMemory()
      const wfs = await pauseAt(step, store)
      const now = await build(schema, store)
      const answer = await now.send({ wfs, input: step })
      const expected = expectation(step, schema)
      if (expected === 'refused') {
        expect([answer.status, answer.body.error.code]).toEqual([409, 'WF_DEFINITION_CHANGED'])
        expect(now.moves).toEqual([])
        // It is resumable again once a build knows the step.
        const next = await build(OLD, store)
        expect((await next.send({ wfs, input: step })).status).toBe(200)
        return
      }
      expect(answer.status).toBe(200)
      expect(now.ran).toEqual([step])
      const moves =
        expected === 'moved'
          ? [expect.objectContaining({ change: 'moved', stepId: `trip/${step}` })]
          : []
      expect(now.moves).toEqual(moves)
    },
  )

  it.each([...stepsOf(OLD)])('goes on as its migration says: paused at %s', async step => {
    const store = new WfStateStoreMemory()
    const wfs = await pauseAt(step, store)
    const seen: unknown[] = []
    const now = await build(['e', 'f'], store, (context: Trip, from) => {
      seen.push(from.stepId)
      return { stepId: 'trip/f', context: { ...context, vip: true } }
    })
    const answer = await now.send({ wfs, input: 'f' })
    expect(answer.body).toEqual({ finished: true })
    expect(new Set(seen)).toEqual(new Set([`trip/${step}`]))
    expect(now.moves).toEqual([expect.objectContaining({ change: 'migrated' })])
  })

  it.each<[string, WfMigrate]>([
    ['does not know', () => undefined],
    ['names a step that is not there', context => ({ stepId: 'trip/z', context })],
    ['names a step that is there twice', context => ({ stepId: 'trip/f', context })],
    [
      'fails',
      () => {
        throw new Error('no')
      },
    ],
  ])('is refused and left alone when its migration %s', async (_what, migrate) => {
    const store = new WfStateStoreMemory()
    const wfs = await pauseAt('b', store)
    const now = await build(['e', 'f', 'f'], store, migrate)
    const answer = await now.send({ wfs, input: 'b' })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'WF_DEFINITION_CHANGED'])
    const next = await build(OLD, store)
    expect((await next.send({ wfs, input: 'b' })).status).toBe(200)
  })

  it('does not move a flow that waited at a step which stood there twice', async () => {
    const store = new WfStateStoreMemory()
    const twice = await build(['a', 'b', 'a'], store)
    const first = await twice.send({ wfid: 'trip/plan' })
    const second = await twice.send({ wfs: first.body.wfs, input: 'a' })
    const third = await twice.send({ wfs: second.body.wfs, input: 'b' })
    expect(third.body.inputRequired.payload).toEqual({ at: 'a' })
    const now = await build(['a', 'b'], store)
    expect((await now.send({ wfs: third.body.wfs, input: 'a' })).status).toBe(409)
  })

  it('stays as it is while a migration is tried', async () => {
    const store = new WfStateStoreMemory()
    const wfs = await pauseAt('b', store)
    const spoil: WfMigrate<Trip> = context => {
      context.done.push('spoilt')
      return null
    }
    await (await build(['e'], store, spoil)).send({ wfs, input: 'b' })
    const next = await build(OLD, store)
    const { body } = await next.send({ wfs, input: 'b' })
    expect(await contextAfter(body, store)).toMatchObject({ done: ['a', 'b'] })
  })
})

describe('@WorkflowMigration', () => {
  it('takes a function', () => {
    expect(() => WorkflowMigration('x' as never)).toThrow(WfError)
  })
})

/** The stored context; empty at the end of a flow, which stores none. */
async function contextAfter(
  body: { wfs?: string },
  store: WfStateStoreMemory,
): Promise<Partial<Trip>> {
  if (!body.wfs) return {}
  return (await store.get(body.wfs.slice('default.'.length)))?.state.context as Trip
}
