import { createHttpApp, useResponse } from '@wooksjs/event-http'
import { useBody } from '@wooksjs/http-body'
import { serve } from '../../measure/server-process.mjs'

const app = createHttpApp()
app.post('/echo', async () => {
  const body = await useBody().parseBody()
  useResponse().setStatus(200)
  return body
})
await app.listen(0, '127.0.0.1')
serve(app.getServer().address().port)
