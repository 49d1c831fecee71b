import { randomUUID } from 'node:crypto'
import { assign, createActor, createMachine } from 'xstate'
import { newContext, STEPS } from '../workflows.mjs'

const states = Object.fromEntries(
  Array.from({ length: STEPS }, (_, at) => [
    `step${at}`,
    {
      on: {
        next: {
          target: `step${at + 1}`,
          actions: assign({ tries: ({ context }) => context.tries + 1 }),
        },
      },
    },
  ]),
)

const machine = createMachine({
  initial: 'step0',
  context: ({ input }) => input,
  states: { ...states, [`step${STEPS}`]: { type: 'final' } },
})

/** A snapshot is saved behind each step, and nothing else: no history and no claim. */
export function xstateRuns(database) {
  database.exec('create table if not exists snapshots (id text primary key, snapshot text) strict')
  const insert = database.prepare('insert into snapshots (id, snapshot) values (?, ?)')
  const update = database.prepare('update snapshots set snapshot = ? where id = ?')
  return {
    async run() {
      const id = randomUUID()
      const actor = createActor(machine, { input: newContext() }).start()
      const snapshot = () => JSON.stringify(actor.getPersistedSnapshot())
      insert.run(id, snapshot())
      while (actor.getSnapshot().status === 'active') {
        actor.send({ type: 'next' })
        update.run(snapshot(), id)
        await undefined
      }
    },
    close: () => database.close(),
  }
}
