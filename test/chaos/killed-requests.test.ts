import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'
import { root } from '../support/project'
import { scaled } from '../support/scale'

interface Body {
  readonly wfs?: string
  readonly error?: { readonly code: string }
}

const heard = async (child: ChildProcess) => (await once(child, 'message'))[0] as unknown

/** An application in a process of its own, whose step never ends. */
async function startWaitingApp(engine: string, url: string, secret: string) {
  const child = fork(join(root, 'test/support/waiting-app.mjs'), [engine, url, secret])
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = await heard(child)
  const send = async (body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/wf`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
  return { child, send }
}

// What differs between databases is in the suite of ledgers; here it is about processes.
describe.each(testEngines().slice(0, scaled(1, Infinity)))(
  'a request whose process was killed, on $name',
  engine => {
    const { url, open } = useLedgerDatabase(engine)

    it('is told how it stands when it is sent again, not that it is still under way', async () => {
      await open()
      const secret = randomBytes(32).toString('base64url')
      const [first, second] = await Promise.all([
        startWaitingApp(engine.name, url(), secret),
        startWaitingApp(engine.name, url(), secret),
      ])
      const { body } = await first.send({ wfid: 'flow' })
      const request = { wfs: body.wfs, input: 'go', requestId: 'r1' }
      const running = heard(first.child)
      const lost = expect(first.send(request)).rejects.toThrow()
      expect(await running).toBe('running')
      first.child.kill('SIGKILL')
      await lost
      const again = await second.send(request)
      expect([again.status, again.body.error?.code]).toEqual([410, 'WF_USED'])
    })
  },
)
