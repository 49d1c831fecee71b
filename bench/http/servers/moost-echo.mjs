import { useBody, useResponse } from '../../../dist/http/index.mjs'
import { serveMoost } from './moost-app.mjs'

await serveMoost(async () => {
  const body = await useBody().parseBody()
  useResponse().setStatus(200)
  return body
})
