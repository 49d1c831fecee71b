import { readFileSync } from 'node:fs'
import type { WfErrorCode } from '@atscript/moost-wf'
import { useUrlParams as wooksUrlParams, useRequest as wooksRequest } from '@wooksjs/event-http'
import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { expect, it } from 'vitest'
import { openDurableApp } from '../support/durable-app'
import { DeliveryForm } from '../fixtures/schemas/delivery-form.as'
import { root } from '../support/project'

/** What a composable is given, and of what code its sentence is where it lacks something. */
interface Called {
  readonly given?: unknown
  readonly lacks?: WfErrorCode
}

const REQUEST: Called = { lacks: 'WF_NEEDS_REQUEST' }
const ATTEMPTS = { key: 'ada', limit: 1, windowMs: 1 }

/** Each of them, in a step of a run that was started without a request, in memory and without a ledger. */
const COMPOSABLES: Readonly<Record<string, Called>> = {
  useAccept: REQUEST,
  useAtscriptWf: { given: DeliveryForm },
  useAuthorization: REQUEST,
  useBody: REQUEST,
  useClientAddress: REQUEST,
  useCookies: REQUEST,
  useHeaders: REQUEST,
  useRequest: REQUEST,
  useResponse: REQUEST,
  useUrlParams: REQUEST,
  useWfAction: {},
  useWfAnswers: {},
  useWfAttempts: { given: ATTEMPTS, lacks: 'WF_CONFIG' },
  useWfFacts: REQUEST,
  useWfFinished: {},
  useWfOutlet: {},
  useWfState: {},
  useWfStep: {},
  useWfStrategy: {},
  useWfTransaction: { lacks: 'WF_CONFIG' },
}

/** All that the package gives out that is named as a composable is. */
async function exportedComposables(): Promise<ReadonlyMap<string, (given?: unknown) => unknown>> {
  const { exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    exports: Record<string, unknown>
  }
  const code = Object.keys(exports).filter(path => !/\.(?:as|json)|\.as\b|package/u.test(path))
  const found = new Map<string, (given?: unknown) => unknown>()
  for (const path of code) {
    const names = (await import(`@atscript/moost-wf${path.slice(1)}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(names)) {
      const isComposable = /^use[A-Z]/u.test(name) && typeof value === 'function'
      if (isComposable) found.set(name, value as () => unknown)
    }
  }
  return found
}

/** What comes of it in a step that a worker runs. */
async function inWorker(work: () => unknown): Promise<unknown> {
  const clock = new FakeClock()
  const app = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
  let became: unknown
  app.deeds.ask = async () => {
    became = await new Promise(resolve => resolve(work())).then(
      () => 'works',
      (error: unknown) => error,
    )
  }
  const { flowId } = await app.api.start('shop/order')
  await app.api.result(flowId, { timeoutMs: 5000 })
  return became
}

it('all composables are known here', async () => {
  expect([...(await exportedComposables()).keys()].toSorted()).toEqual(
    Object.keys(COMPOSABLES).toSorted(),
  )
})

it.each(Object.entries(COMPOSABLES))(
  '%s works in a step that a worker runs, or says in a sentence what it lacks',
  async (name, { given, lacks }) => {
    const composable = (await exportedComposables()).get(name)!
    const became = await inWorker(() => composable(given))
    if (lacks === undefined) {
      expect(became).toBe('works')
      return
    }
    expect(became).toMatchObject({ code: lacks })
    const { message } = became as Error
    expect(message).toMatch(new RegExp(`^${name}\\(\\) \\w+ .+ .+[.}]`, 'u'))
  },
)

// As docs/durable.md says of those that are imported from Wooks itself.
it('those of Wooks have no sentence of their own, and a run knows them all the same', async () => {
  expect(await inWorker(wooksRequest)).toMatchObject({ message: 'Key "http.req" is not set' })
  const clock = new FakeClock()
  const app = await openDurableApp({ runs: new WfRunStoreMemory({ clock }), clock })
  app.deeds.work = () => wooksUrlParams().toJson()
  const { flowId } = await app.api.start('shop/order', { input: { name: 'Ada' } })
  const ended = await app.api.result(flowId, { timeoutMs: 5000 })
  expect(ended).toMatchObject({ status: 'failed', lastError: { code: 'WF_NEEDS_REQUEST' } })
})
