import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { supervise } from '../../example-app/src/demo/supervise'
import { newFolder, startExampleApp, STARTER, tokenIn } from '../support/example-app'

/** A program that notes on which port it was started, and then does what it is told. */
function programOf(body: string) {
  const folder = newFolder()
  const notes = join(folder, 'notes')
  const path = join(folder, 'program.mjs')
  writeFileSync(
    path,
    `import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(notes)}, process.env.PORT + '\\n')
const starts = readFileSync(${JSON.stringify(notes)}, 'utf8').trim().split('\\n').length
${body}`,
  )
  return { path, starts: () => readFileSync(notes, 'utf8').trim().split('\n') }
}

const KILLED = "process.kill(process.pid, 'SIGKILL')"

describe('a program that is supervised', () => {
  it('is started again when it was killed, on the port that it has told', async () => {
    const { path, starts } = programOf(
      `if (starts < 3) process.send({ port: 4711 }, () => ${KILLED}); else process.exit(7)`,
    )
    expect(await supervise([path], { PORT: '0' })).toBe(7)
    expect(starts()).toEqual(['0', '4711', '4711'])
  })

  it.each([
    ['has ended', 'process.exit(0)', 0],
    ['has failed', 'process.exit(3)', 3],
    ['has thrown', 'process.stderr.write = () => true; throw new Error()', 1],
    ['was asked to stop by somebody else', "process.kill(process.pid, 'SIGTERM')", 143],
  ])('is left alone when it %s', async (_how, body, code) => {
    const { path, starts } = programOf(body)
    expect(await supervise([path], { PORT: '0' })).toBe(code)
    expect(starts()).toHaveLength(1)
  })

  it('is given up when it is killed again and again', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { path, starts } = programOf(KILLED)
    expect(await supervise([path], { PORT: '0' })).toBe(137)
    expect(starts()).toHaveLength(10)
    expect(said).toHaveBeenCalledWith(expect.stringContaining('10 times within a minute'))
  })
})

describe('the example as npm start runs it', () => {
  it('comes back after a kill with its flows and its sessions, and stops when it is told to', async () => {
    const app = await startExampleApp({}, { program: STARTER })
    const admin = app.visitor()
    await admin.signInAdmin()
    await admin.wf({ wfid: 'users/invite', input: { email: 'ida@example.com', role: 'member' } })
    const wfs = tokenIn(await app.mailTo('ida@example.com'))
    const killed = await admin.post('/api/demo/kill')
    expect(killed.status).toBe(202)
    const { body } = await vi.waitFor(() => admin.get('/api/demo/process'), 30_000)
    expect(body.processId).not.toBe(killed.body.processId)
    expect(await admin.user()).toMatchObject({ role: 'admin' })
    const input = { name: 'Ida', password: 'a-long-enough-password' }
    expect((await app.visitor().wf({ wfs, input })).body.finished).toBe(true)
    expect(await app.stop()).toEqual([0, null])
    await expect(app.visitor().get('/api/me')).rejects.toThrow('fetch failed')
  })

  it('does not outlive what has started it', async () => {
    const app = await startExampleApp({}, { program: STARTER })
    app.child.kill('SIGKILL')
    await vi.waitFor(() => expect(app.visitor().get('/api/me')).rejects.toThrow('fetch failed'), {
      timeout: 20_000,
      interval: 100,
    })
  })

  it.each([[{ HOST: '127.0.0.1', DEMO_KILL: '0' }], [{ PUBLIC_URL: 'https://app.example.com' }]])(
    'cannot be killed with %j',
    async env => {
      const app = await startExampleApp(env, { program: STARTER })
      expect((await app.visitor().get('/api/demo/process')).status).toBe(404)
      expect(await app.stop()).toEqual([0, null])
    },
  )
})
