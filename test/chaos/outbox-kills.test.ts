import type { WfPausedResult } from '@atscript/moost-wf/run'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { type RunWorker, useRunWorkers } from '../support/run-workers'
import { scaled } from '../support/scale'

const KILLS = scaled(1, 50)
/** How many answer by each mail that has come. */
const ANSWERS = 3

/** What had become of a message whose process was killed at this point. */
const POINTS = {
  'behind the commit of the pause': { stopAt: 'behind the pause', isTaken: false, hasLeft: false },
  'before the message is sent': { stopAt: 'before the send', isTaken: true, hasLeft: false },
  'before it is noted that the message was sent': {
    stopAt: 'in the delivery',
    isTaken: true,
    hasLeft: true,
  },
} as const

describe.each(testEngines())('a process that is killed, on $name', engine => {
  const { database, start } = useRunWorkers(engine, { outbox: true })
  let survivor: Promise<RunWorker> | undefined

  const messagesOf = (flowId: string) =>
    database().store({ outbox: database().outbox }).outbox!.of(flowId)

  /** No live process is so slow that this takes a message from it. */
  const letItBeDue = (flowId: string) => database().outbox.updateMany({ flowId }, { dueAt: 1 })

  it.each(Object.entries(POINTS))(
    `%s has lost no message, and one answer is possible, ${KILLS} times of ${KILLS}`,
    async (_point, { stopAt, isTaken, hasLeft }) => {
      const worker = await (survivor ??= start())
      for (let kill = 0; kill < KILLS; kill++) {
        const victim = await start()
        const before = worker.mails.length
        const { token, flowId } = (await worker.run('start')) as WfPausedResult & { flowId: string }
        const answer = { token, input: { name: 'Ada' } }
        if (isTaken) {
          expect(await worker.run('resume', answer)).toMatchObject({ kind: 'sent', queued: true })
          await victim.killAt(stopAt, 'recover', {})
        } else {
          await victim.killAt(stopAt, 'resume', answer)
        }
        expect(victim.mails).toHaveLength(hasLeft ? 1 : 0)
        expect(await messagesOf(flowId)).toMatchObject([{ status: 'waiting' }])

        // Whoever has a message is left alone until its time has run out.
        if (isTaken) {
          expect(await worker.run('recover')).toMatchObject({ done: 0 })
          await letItBeDue(flowId)
        }
        expect(await worker.run('recover')).toMatchObject({ done: 1 })
        const [message, ...others] = await messagesOf(flowId)
        expect(others).toEqual([])
        expect(message).toMatchObject({ status: 'sent', attempts: isTaken ? 2 : 1 })
        const mails = [...victim.mails, ...worker.mails.slice(before)]
        const ids = [...victim.messageIds, ...worker.messageIds.slice(before)]
        expect(mails).toHaveLength(hasLeft ? 2 : 1)
        expect(new Set(mails).size).toBe(1)
        expect([...new Set(ids)]).toEqual([message!.messageId])

        const tokens = mails.flatMap(mail => Array.from({ length: ANSWERS }, () => mail))
        const told = await worker.run('resumeAtOnce', { tokens, input: { decision: 'yes' } })
        expect((told as readonly string[]).toSorted()).toEqual([
          'finished',
          ...tokens.slice(1).map(() => 'refused'),
        ])
        expect(await worker.run('recover')).toMatchObject({ done: 0 })
        expect(worker.mails).toHaveLength(before + 1)
      }
    },
  )
})
