import { expect, it } from 'vitest'
import { ADA, BOB, CLEO, openPanelApp } from '../support/panel-app'
import { recordedAnswers } from '../support/panel-record'
import { describeOnRunStores } from '../support/run-stores'
import { scaled } from '../support/scale'

const RACES = scaled(32, 1000)
const SOON = 1000
const MOST_TURNS = 8

describeOnRunStores(
  share => {
    it(
      'has one winner of the answer that decides and a deadline at the same moment, and the other is told',
      { timeout: scaled(60_000, 600_000) },
      async () => {
        const shared = share()
        const here = await openPanelApp(shared)
        const there = await openPanelApp(shared)
        for (const { deeds } of [here, there]) {
          deeds.escalate = ctx => void (ctx.outcome = 'too late')
        }
        const deadline = { afterMs: SOON, onTimeout: 'escalate' }
        let decided = 0
        for (let race = 0; race < RACES; race++) {
          here.mails.length = 0
          const { flowId } = await here.start([ADA, BOB, CLEO], { deadline })
          expect(await here.vote(ADA, 'approve')).toMatchObject({ kind: 'noted' })
          shared.clock.advance(SOON)
          // Each of the two is the first one to begin, by as many turns.
          const lead = race % (2 * MOST_TURNS)
          const later = async (turns: number) => {
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
          }
          const timingOut = later(MOST_TURNS - lead).then(() => there.api.runDue())
          // A few turns are nothing to a server far away.
          if (lead === 2 * MOST_TURNS - 1) await timingOut
          const answering = later(lead - MOST_TURNS).then(() => here.vote(BOB, 'approve'))
          const [answered] = await Promise.all([answering, timingOut])
          await there.api.runDue()
          const isDecided = answered.kind === 'finished'
          if (!isDecided) expect(answered).toMatchObject({ kind: 'refused', code: 'WF_USED' })
          expect(await here.vote(CLEO, 'approve')).toMatchObject({ code: 'WF_USED' })
          const history = await shared.runs.history(flowId)
          const types = history.map(({ type }) => type)
          expect(types.at(-1)).toBe('workflow_completed')
          expect(types.includes('timed_out')).toBe(!isDecided)
          expect(recordedAnswers(history).map(({ seat }) => seat)).toEqual(
            isDecided ? [ADA, BOB] : [ADA],
          )
          expect((await here.context(flowId)).outcome).toBe(isDecided ? 'reached' : 'too late')
          if (isDecided) decided++
        }
        console.info(`${decided} of ${RACES} were decided in time`)
        expect(decided).toBeGreaterThan(0)
        expect(decided).toBeLessThan(RACES)
      },
    )
  },
  { outbox: true },
)
