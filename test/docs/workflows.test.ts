import {
  defineOutletConfig,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { Post } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { expect, it } from 'vitest'
import { importExample } from '../support/example'
import { startApp } from '../support/moost-app'

type Example = { LoginController: Parameters<typeof startApp>[0][number] }

/** The login of docs/workflows.md, at the form for the code. */
async function login() {
  const config = defineOutletConfig({
    state: new HandleStateStrategy({ store: new WfStateStoreMemory() }),
  })

  @Controller()
  class Endpoint {
    constructor(readonly wf: MoostWf) {}

    @Post('wf')
    handle() {
      return handleAsOutletRequest(config, this.wf)
    }
  }

  const { LoginController } = await importExample<Example>('docs/workflows.md')
  const { url } = await startApp([LoginController, Endpoint])
  let wfs: string | undefined
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ ...body, wfs }) }
    const answer = (await (await fetch(`${url}/wf`, init)).json()) as { wfs?: string }
    wfs = answer.wfs
    return answer
  }
  await post({ wfid: 'auth/login' })
  const asked = await post({ input: { email: 'ada@example.com' } })
  expect(asked).toMatchObject({ inputRequired: { payload: { form: 'code' }, context: {} } })
  return (code: string) => post({ input: { code } })
}

it('the login of docs/workflows.md asks again after a wrong code', async () => {
  const enter = await login()
  const errors = { code: 'This code is not right.' }
  expect(await enter('000000')).toMatchObject({ inputRequired: { context: { errors } } })
  expect(await enter('123456')).toEqual({ finished: true, data: { signedIn: true } })
})

it('and gives up after five', async () => {
  const enter = await login()
  for (let tries = 1; tries < 5; tries++) await enter('000000')
  expect(await enter('000000')).toEqual({ finished: true })
})
