import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../support/project'

/** The example as `npm start` runs it, on a free port. */
function startExample(env: Record<string, string>) {
  const child = spawn(join(root, 'node_modules/.bin/vite-node'), ['src/main.ts'], {
    cwd: join(root, 'example-app'),
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return { child, output: () => output, exit: once(child, 'exit') }
}

describe('the example application', () => {
  it('says what to type, and that works; SIGTERM ends it', async () => {
    const { child, output, exit } = startExample({ PORT: '0' })
    await expect.poll(output, { timeout: 20_000 }).toContain('Stop with Ctrl-C')
    const url = /Ready at (\S+)/u.exec(output())?.[1]
    const post = async (body: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await (await fetch(`${url}/wf`, init)).json()) as Record<string, unknown>
    }
    const { wfs } = await post({ wfid: 'users/invite' })
    expect(await post({ wfs, input: { email: 'ada@example.com' } })).toEqual({
      sent: true,
      outlet: 'email',
    })
    const [mail] = (await (await fetch(`${url}/inbox`)).json()) as { text: string }[]
    const [, command = '{}'] = /-d '(.*)'/u.exec(mail?.text ?? '') ?? []
    expect(await post(JSON.parse(command))).toEqual({
      finished: true,
      data: { welcome: 'Your name', email: 'ada@example.com' },
    })
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc"; set it to a number'],
    [{ PORT: '65536' }, 'PORT is "65536"'],
    [{ HOST: '203.0.113.7', PORT: '0' }, 'does not have that HOST'],
  ])('stops with a sentence for %j', async (env, sentence) => {
    const { output, exit } = startExample(env)
    expect(await exit).toEqual([1, null])
    expect(output()).toContain(sentence)
    expect(output()).not.toContain('    at ')
  })
})
