import * as ours from '@atscript/moost-wf'
import type {
  TFlowOutput,
  WfOutletConfig,
  WfOutletRequest,
  WfOutletTokenConfig,
  WfOutletTriggerConfig,
  WfOutletTriggerDeps,
  WfPauseRequest,
  WfTokenOptions,
  WfTriggerDeps,
} from '@atscript/moost-wf'
import { Post } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { startApp } from '../support/moost-app'
import { openShop, request } from '../support/shop'

/** What users import from `@moostjs/event-wf`, by name. */
const NAMES = [
  'createEmailOutlet',
  'createHttpOutlet',
  'createOutletHandler',
  'EncapsulatedStateStrategy',
  'HandleStateStrategy',
  'handleWfOutletRequest',
  'MoostWf',
  'outlet',
  'outletEmail',
  'outletHttp',
  'Step',
  'StepRetriableError',
  'StepTTL',
  'swapStrategy',
  'useWfAction',
  'useWfFinished',
  'useWfOutlet',
  'useWfState',
  'useWfStrategy',
  'wfKind',
  'WfStateStoreMemory',
  'Workflow',
  'WorkflowParam',
  'WorkflowSchema',
]

describe('what is imported from the public package', () => {
  it.each(NAMES)('is here by its name: %s', name => {
    expect(ours).toHaveProperty(name)
  })

  it('has its types', () => {
    expectTypeOf<WfOutletTriggerConfig>().toEqualTypeOf<WfOutletConfig>()
    expectTypeOf<WfOutletTriggerDeps>().toEqualTypeOf<WfTriggerDeps>()
    expectTypeOf<WfOutletTokenConfig>().toEqualTypeOf<WfTokenOptions>()
    expectTypeOf<WfPauseRequest>().toEqualTypeOf<WfOutletRequest>()
    expectTypeOf<TFlowOutput<{ n: number }, unknown, unknown>['state']>().toHaveProperty('indexes')
  })

  it('createOutletHandler(wf) answers by the app that it was given', async () => {
    @Controller('hand')
    class Ask {
      @ours.Workflow('ask')
      @ours.WorkflowSchema(['form'])
      ask() {}

      @ours.Step('form')
      form() {
        return ours.outletHttp({ form: 'ask' })
      }
    }
    const state = new ours.HandleStateStrategy({ store: new ours.WfStateStoreMemory() })
    @Controller()
    class Endpoint {
      @Post('wf')
      handle() {
        return ours.createOutletHandler(wf)({ state })
      }
    }
    const { url, wf } = await startApp([Ask, Endpoint])
    const { body } = await request(url, { wfid: 'hand/ask' }, {})
    expect(body).toEqual({ form: 'ask', wfs: expect.stringMatching(/^default\./u) })
  })

  it('useWfOutlet() gives a Map, and null for an outlet that is not there', async () => {
    const shop = await openShop()
    let seen: unknown[] = []
    shop.onName = () => {
      const { getOutlet, getOutlets, getStateStrategy } = ours.useWfOutlet()
      seen = [getOutlets() instanceof Map, getOutlet('sms'), typeof getStateStrategy().persist]
    }
    await shop.start('shop/order')
    expect(seen).toEqual([true, null, 'function'])
  })
})
