import { waitFor } from '@atscript/moost-wf'
import { expect, it } from 'vitest'
import { openDurableApp } from '../support/durable-app'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const RACES = scaled(200, 1000)
const AT_ONCE = 10
const SOON = 1000
const MOST_TURNS = 8

describeOnRunStores(share => {
  it(
    'has one winner of a signal and a deadline at the same moment, and whoever signals is told',
    { timeout: scaled(120_000, 600_000) },
    async () => {
      const shared = share()
      const here = await openDurableApp(shared)
      const there = await openDurableApp(shared)
      const deadline = { afterMs: SOON, onTimeout: 'last' }
      for (const app of [here, there]) {
        app.deeds.ask = (ctx, input) => {
          if (!input) return waitFor('paid', { deadline })
          ctx.name = 'paid'
        }
      }
      let taken = 0
      for (let from = 0; from < RACES; from += AT_ONCE) {
        const starts = Array.from({ length: AT_ONCE }, () => here.runner.start('shop/order'))
        const started = await Promise.all(starts)
        shared.clock.advance(SOON)
        await Promise.all(
          started.map(async (waiting, at) => {
            const flowId = 'flowId' in waiting ? waiting.flowId! : ''
            // Each of the two is the first one to begin, by as many turns.
            const later = async (turns: number) => {
              for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
            }
            const lead = (from / AT_ONCE + at) % (2 * MOST_TURNS)
            const signal = async () => {
              await later(lead - MOST_TURNS)
              return here.api.signal(flowId, 'paid', { at }).catch(() => false)
            }
            const timeOut = async () => {
              await later(MOST_TURNS - lead)
              return there.takeUp(flowId)
            }
            const [isTaken] = await Promise.all([signal(), timeOut()])
            await here.api.runDue()
            const run = await here.api.result(flowId, { timeoutMs: 5000 })
            const types = (await shared.runs.history(flowId)).map(({ type }) => type)
            expect(run?.status).toBe('completed')
            expect(types.includes('timed_out')).toBe(!isTaken)
            expect(types.includes('signalled')).toBe(isTaken)
            const { context } = (await shared.runs.find(flowId))!.state
            expect(context).toEqual(isTaken ? { name: 'paid', work: 1 } : {})
            if (isTaken) taken++
          }),
        )
      }
      console.info(`${taken} of ${RACES} signals were taken, the others came too late`)
      expect(taken).toBeGreaterThan(0)
      expect(taken).toBeLessThan(RACES)
    },
  )
})
