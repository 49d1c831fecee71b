import { randomUUID } from 'node:crypto'
import { current } from '@wooksjs/event-core'
import { useBody, useResponse } from '../../../dist/http/index.mjs'
import { serveMoost } from './moost-app.mjs'

const states = new Map()

/** The least that a resume takes: no check of anything, states as JSON in a map. */
await serveMoost(async wf => {
  const { wfid, wfs, input } = await useBody().parseBody()
  const options = { input, eventContext: current(), ownsState: true }
  const { state, inputRequired } = wfid
    ? await wf.start(wfid, {}, options)
    : await wf.resume(take(wfs), options)
  const token = `default.${randomUUID()}`
  states.set(token, JSON.stringify(state))
  useResponse().setStatus(200)
  const { payload, context } = inputRequired
  return { inputRequired: { payload, transport: 'http', context }, wfs: token }
})

function take(token) {
  const state = states.get(token)
  states.delete(token)
  return JSON.parse(state)
}
