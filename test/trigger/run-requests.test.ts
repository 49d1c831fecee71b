import { handleRunRequest } from '@atscript/moost-wf'
import { Post } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { expect, it } from 'vitest'
import { startApp } from '../support/moost-app'

const SECRET = 'a-secret-that-only-the-consumer-of-the-queue-has'

/** An application whose queue knows the run `known`. */
async function openDoor(secret = SECRET) {
  const executed: string[] = []
  const runs = {
    execute: async (flowId: string) => {
      executed.push(flowId)
      return { done: flowId !== 'long' }
    },
  }
  const options = { secret }

  @Controller('internal')
  class Internal {
    @Post('execute')
    execute() {
      return handleRunRequest(runs, options)
    }
  }

  const { url } = await startApp([Internal])
  const post = async (body: string, authorization?: string) => {
    const response = await fetch(`${url}/internal/execute`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    })
    return { status: response.status, body: await response.text() }
  }
  return { post, executed }
}

const run = (flowId: string) => JSON.stringify({ flowId })

it('goes on with a run for whoever has the secret, and says whether it is done', async () => {
  const door = await openDoor()
  const bearer = `Bearer ${SECRET}`
  expect(await door.post(run('known'), bearer)).toEqual({ status: 200, body: '{"done":true}' })
  expect(await door.post(run('long'), bearer)).toEqual({ status: 200, body: '{"done":false}' })
  expect(door.executed).toEqual(['known', 'long'])
  expect((await door.post('{}', bearer)).status).toBe(400)
  expect((await door.post('{', bearer)).status).toBe(400)
})

it('answers everyone else alike, and does nothing', async () => {
  const { post, executed } = await openDoor()
  const wrong = [undefined, '', 'Bearer', `Bearer ${SECRET}x`, `Bearer ${SECRET.slice(1)}`, SECRET]
  const bodies = [run('known'), run('unknown'), '{}', '{', '']
  const answers = await Promise.all(
    wrong.flatMap(authorization => bodies.map(body => post(body, authorization))),
  )
  expect(new Set(answers.map(answer => JSON.stringify(answer)))).toHaveLength(1)
  expect(answers[0]).toMatchObject({ status: 404 })
  expect(executed).toEqual([])
})

it.each(['', 'too short'])('refuses to work with the secret "%s"', async secret => {
  const { post, executed } = await openDoor(secret)
  expect((await post(run('known'), `Bearer ${secret}`)).status).toBe(500)
  expect(executed).toEqual([])
})
