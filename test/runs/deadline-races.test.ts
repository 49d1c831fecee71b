import { outletEmail } from '@atscript/moost-wf'
import { expect, it } from 'vitest'
import { openDurableApp } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const RACES = scaled(40, 1000)
const AT_ONCE = 8
const SOON = 1000

describeOnRunStores(share => {
  it(
    'has one winner of an answer and a deadline at the same moment, and the other is told',
    { timeout: scaled(60_000, 600_000) },
    async () => {
      const shared = share()
      const here = await openDurableApp(shared)
      const there = await openDurableApp(shared)
      const deadline = { afterMs: SOON, onTimeout: 'last' }
      for (const app of [here, there]) {
        app.deeds.ask = (ctx, input) => {
          if (!input?.name) return outletEmail('boss@example.com', 'decide', {}, { deadline })
          ctx.name = input.name as string
        }
      }
      let answers = 0
      for (let from = 0; from < RACES; from += AT_ONCE) {
        here.mails.length = 0
        const flowIds: string[] = []
        for (let at = 0; at < AT_ONCE; at++) {
          const started = await here.runner.start('shop/order')
          flowIds.push('flowId' in started ? started.flowId! : '')
        }
        shared.clock.advance(SOON)
        await Promise.all(
          flowIds.map(async (flowId, at) => {
            const answer = () =>
              here.runner.resume(here.mails[at]!.token, { input: { name: 'Ada' } })
            // An answer has the longer way.
            const timeOut = async () => {
              for (let turn = 0; turn < at; turn++) await new Promise(setImmediate)
              return there.takeUp(flowId)
            }
            const [answered, timed] = await Promise.all([answer(), timeOut()])
            const isAnswered = answered.kind === 'finished'
            expect([isAnswered, timed.kind === 'settled'].filter(Boolean)).toHaveLength(1)
            if (isAnswered) expect(timed).toMatchObject({ kind: 'refused' })
            else expect(answered).toMatchObject({ kind: 'refused' })
            const run = await shared.runs.find(flowId)
            expect(run).toMatchObject({ status: 'completed' })
            expect(run?.state.context).toEqual(isAnswered ? { name: 'Ada', work: 1 } : {})
            const types = (await shared.runs.history(flowId)).map(({ type }) => type)
            expect(types.includes('timed_out')).toBe(!isAnswered)
            expect(types.includes('resumed')).toBe(isAnswered)
            if (isAnswered) answers++
          }),
        )
      }
      console.info(`${answers} of ${RACES} were answered, the others too late`)
    },
  )
})
