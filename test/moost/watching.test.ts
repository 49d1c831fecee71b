import {
  type MoostWf,
  Step,
  useWfState,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import {
  ContextInjector,
  Controller,
  current,
  replaceContextInjector,
  resetContextInjector,
} from 'moost'
import { afterEach, describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

@Controller('watched')
class Watched {
  @Workflow('flow')
  @WorkflowSchema(['ask', 'end'])
  flow() {}

  @Step('ask')
  ask(@WorkflowParam('input') input?: string) {
    if (input === 'fail') throw new Error('as asked')
    if (!input) return { inputRequired: true }
  }

  @Step('end')
  end() {}
}

async function watched(): Promise<MoostWf> {
  const { app, wf } = buildApp([Watched])
  await app.init()
  return wf
}

afterEach(resetContextInjector)

describe('spies', () => {
  it('see a run from its start to its end, those of the app and that of the run', async () => {
    const wf = await watched()
    const [all, one]: [string[], string[]] = [[], []]
    const stop = wf.attachSpy(event => void all.push(event))
    const spy = (event: string) => void one.push(event)
    const { state } = await wf.start('watched/flow', {}, { spy })
    await wf.resume(state, { input: 'yes', spy })
    stop()
    await wf.start('watched/flow', {})
    const events = ['workflow-start', 'step', 'workflow-interrupt']
    events.push('resume-start', 'step', 'step', 'resume-end')
    expect(all).toEqual(events)
    expect(one).toEqual(events)
  })

  it('are in the context of the run', async () => {
    const wf = await watched()
    const seen: unknown[] = []
    const spy = (event: string) => {
      if (event === 'step') seen.push(useWfState().stepId(), useWfState().resume)
    }
    const { state } = await wf.start('watched/flow', {}, { spy })
    await wf.resume(state, { input: 'yes', spy })
    expect(seen).toEqual(['/watched/ask', false, '/watched/ask', true, '/watched/end', true])
  })
})

describe('cleanup', () => {
  it.each([
    ['pauses', undefined],
    ['ends', 'yes'],
    ['fails', 'fail'],
  ])('is called once when a run %s, within the run', async (_how, input) => {
    const wf = await watched()
    const calls: unknown[] = []
    const cleanup = () => void calls.push(useWfState().schemaId)
    await wf.start('watched/flow', {}, { input, cleanup }).catch(() => undefined)
    expect(calls).toEqual(['watched/flow'])
  })
})

describe('tracing', () => {
  it('sees the event, its workflow and its steps, until the run is over', async () => {
    const seen: string[] = []
    class Tracer extends ContextInjector<string> {
      override with<T>(name: string, ...rest: unknown[]): T {
        const about = typeof rest[0] === 'function' ? '' : ` ${Object.values(rest[0] as object)[0]}`
        seen.push(`${name}${about}`)
        const result = (rest.at(-1) as () => T)()
        if (name === 'Event:start') {
          void Promise.resolve(result).then(() => seen.push('Event:end'))
        }
        return result
      }
      override hook(method: string, name: string, route?: string) {
        seen.push(`${name} ${method} ${route ?? ''}`.trim())
        expect(current()).toBeDefined()
      }
    }
    replaceContextInjector(new Tracer())
    const wf = await watched()
    seen.length = 0
    await wf.start('watched/flow', {}, { input: 'yes' })
    expect(seen).toEqual([
      'Event:start WF',
      'Handler:routed WF_FLOW /watched/flow',
      'Controller:registered WF_FLOW',
      'Handler:watched/flow flow',
      'Handler:routed WF_STEP /watched/ask',
      'Controller:registered WF_STEP',
      'Arguments:resolve',
      'Handler:watched/ask ask',
      'Handler:routed WF_STEP /watched/end',
      'Controller:registered WF_STEP',
      'Handler:watched/end end',
      'Event:end',
    ])
  })
})
