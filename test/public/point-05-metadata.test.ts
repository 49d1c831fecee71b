import { outletHttp, Step, StepTTL, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { Controller, getMoostMate } from 'moost'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

interface PublicMeta {
  wfStepTTL?: number
  wfSchema?: unknown
  handlers?: { type: string; path?: string }[]
}

const mate = () => getMoostMate<PublicMeta, PublicMeta>()

/** The decorator of the public package: this key. */
const PublicStepTTL = (ms: number): MethodDecorator => mate().decorate('wfStepTTL', ms)

@Controller('meta')
class Steps {
  @Workflow('flow')
  @WorkflowSchema(['theirs'])
  flow() {}

  @Step('ours')
  @StepTTL(1000)
  ours() {}

  @Step('theirs')
  @PublicStepTTL(2000)
  theirs() {
    return outletHttp({ form: 'wait' })
  }
}

describe('the metadata of decorators', () => {
  const read = (method: string) => mate().read(Steps, method)

  it('is under the keys of the public package', () => {
    expect(read('ours')).toMatchObject({
      wfStepTTL: 1000,
      handlers: [{ type: 'WF_STEP', path: 'ours' }],
    })
    expect(read('flow')).toMatchObject({
      wfSchema: ['theirs'],
      handlers: [{ type: 'WF_FLOW', path: 'flow' }],
    })
  })

  it('of a public decorator is read: its link expires', async () => {
    const { app, wf } = buildApp([Steps])
    await app.init()
    const before = Date.now()
    const { expires } = (await wf.start('meta/flow', {})) as { expires?: number }
    expect(expires).toBeGreaterThanOrEqual(before + 2000)
    expect(expires).toBeLessThanOrEqual(Date.now() + 2000)
  })
})
