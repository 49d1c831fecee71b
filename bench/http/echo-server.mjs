import { createHttpApp } from '@wooksjs/event-http'
import { useBody } from '@wooksjs/http-body'
import { serve } from '../measure/server-process.mjs'

const app = createHttpApp()
app.post('/echo', async () => {
  const body = await useBody().parseBody()
  return body
})
await app.listen(0, '127.0.0.1')
// POST is answered with 201 by wooks; the load accepts 200 only, as the other side answers.
app.getServer().prependListener('request', (_req, res) => {
  const writeHead = res.writeHead.bind(res)
  res.writeHead = (_status, headers) => writeHead(200, headers)
})
serve(app.getServer().address().port)
