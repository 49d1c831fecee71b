import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWebhookOutlet, type WfOutlet } from '@atscript/moost-wf'
import { createWebhookVerifier, type WebhookOutletOptions } from '@atscript/moost-wf/outlets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPublicAddress } from '../../src/outlets/webhook/public-address'

const secret = randomBytes(32)
const TOKEN = 'handle.the-token-of-the-pause'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Another system, which keeps what it gets. */
async function openReceiver(
  answer: RequestListener = (_request, response) => response.end('ok'),
  host = '127.0.0.1',
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    answer(request, response)
  })
  await new Promise<void>(done => server.listen(0, host, done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { received, port, origin: `http://${host}:${port}` }
}

const outletTo = (origin: string, options: Partial<WebhookOutletOptions> = {}) =>
  createWebhookOutlet({ origins: [origin], secret, ...options })

const send = async (outlet: WfOutlet, target: string, context: Record<string, unknown> = {}) =>
  outlet.deliver({ outlet: 'webhook', target, template: 'decide', context }, TOKEN)

describe('createWebhookOutlet', () => {
  it('posts a message that its receiver can verify, by what the specification says', async () => {
    const { received, origin } = await openReceiver()
    const answer = await send(outletTo(origin), `${origin}/hook?room=7`, { title: 'a new chair' })
    expect(answer).toEqual({ response: { sent: true, outlet: 'webhook' } })
    const [{ headers, body }] = received as [Received]
    expect(JSON.parse(body)).toEqual({
      id: headers['webhook-id'],
      template: 'decide',
      context: { title: 'a new chair' },
      token: TOKEN,
    })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const mac = createHmac('sha256', secret).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${mac}`)
    expect(headers['content-type']).toBe('application/json')
    expect(await createWebhookVerifier(secret)({ headers, body })).toBe(headers['webhook-id'])
  })

  it('posts what the application makes of it', async () => {
    const { received, origin } = await openReceiver()
    const body: WebhookOutletOptions['body'] = ({ context, token }) => ({
      text: `${context.title}: ${token}`,
    })
    await send(outletTo(origin, { body }), origin, { title: 'x' })
    expect(JSON.parse(received[0]!.body)).toEqual({ text: `x: ${TOKEN}` })
  })

  it.each([301, 302, 307, 400, 410, 500, 503])('takes %i for not delivered', async status => {
    const other = await openReceiver()
    const { origin } = await openReceiver((_request, response) =>
      response.writeHead(status, { location: other.origin }).end('a secret of theirs'),
    )
    const failure = await send(outletTo(origin), origin).catch(String)
    expect(failure).toBe(`Error: A webhook was answered ${status}.`)
    expect(other.received).toEqual([])
  })

  it('waits no longer than it is told', async () => {
    const { origin } = await openReceiver(() => {})
    await expect(send(outletTo(origin, { timeoutMs: 50 }), origin)).rejects.toThrow()
  })

  it('waits no longer for a look-up either', async () => {
    const lookup = () => new Promise<never>(() => {})
    const outlet = outletTo('https://chat.example.com', { timeoutMs: 50, lookup })
    await expect(send(outlet, 'https://chat.example.com/')).rejects.toThrow()
  })

  it('reads no more than 64 KB of an answer, however slowly it comes', async () => {
    const { origin } = await openReceiver((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
      }
      response.on('drain', more)
      more()
    })
    await expect(send(outletTo(origin), origin)).rejects.toThrow('too long')
  })

  it('sends no more than 64 KB', async () => {
    const { origin, received } = await openReceiver()
    const context = { text: 'ü'.repeat(33_000) }
    await expect(send(outletTo(origin), origin, context)).rejects.toMatchObject({
      code: 'WF_CONFIG',
    })
    expect(received).toEqual([])
  })

  it.each([
    'https://other.example.com/',
    'http://chat.example.com/',
    'https://chat.example.com:8443/',
    'https://user:pass@chat.example.com/',
    'https://chat.example.com.evil.example/',
    'https://chat.example.com@evil.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//chat.example.com/',
    'not a URL',
    '',
    undefined,
  ])('goes to no other origin: %s', async target => {
    const outlet = outletTo('https://chat.example.com', {
      lookup: () => Promise.reject(new Error('was looked up')),
    })
    const failure = send(outlet, target as string)
    await expect(failure).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })

  it.each([
    ['http://chat.example.com'],
    ['https://chat.example.com/path'],
    ['ftp://chat.example.com'],
    ['chat.example.com'],
    ['*'],
    [''],
    [undefined as unknown as string],
  ])('is not made for %s', origin => {
    expect(() => outletTo(origin)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })

  it.each([[[]], ['short'], ['whsec_c2hvcnQ='], [randomBytes(23)], [`${'A'.repeat(43)}!`], [42]])(
    'is not made with a secret that is none: %s',
    bad => {
      const make = () => outletTo('https://chat.example.com', { secret: bad as never })
      expect(make).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
    },
  )
})

describe('a private network', () => {
  it.each([
    ['127.0.0.1', 4],
    ['10.1.2.3', 4],
    ['169.254.169.254', 4],
    ['192.168.0.1', 4],
    ['0.0.0.0', 4],
    ['::1', 6],
    ['::ffff:127.0.0.1', 6],
    ['::ffff:a9fe:a9fe', 6],
    ['fd00::1', 6],
    ['fe80::1', 6],
    ['64:ff9b::7f00:1', 6],
  ] as const)('is not reached by a name that stands for %s', async (address, family) => {
    const { received, port } = await openReceiver()
    const origin = `https://chat.example.com:${port}`
    const lookup = async () => [
      { address: '8.8.8.8', family: 4 },
      { address, family },
    ]
    await expect(send(outletTo(origin, { lookup }), origin)).rejects.toThrow('private network')
    expect(received).toEqual([])
  })

  it.each(['https://10.0.0.1', 'https://[fd00::1]', 'https://2130706433', 'https://0x7f.1'])(
    'is not reached by its address either: %s',
    async text => {
      const { origin } = new URL(text)
      const made = () => send(outletTo(origin, { timeoutMs: 2000 }), origin)
      // What turns out to be this machine is one that may be named.
      const expected = origin === 'https://127.0.0.1' ? /ECONNREFUSED|EPROTO/u : /private network/u
      await expect(made()).rejects.toThrow(expected)
    },
  )

  it('is not reached by a name that changes its mind: the address that was looked at is asked', async () => {
    const { received, port } = await openReceiver(undefined, '127.0.0.2')
    const origin = `http://localhost:${port}`
    const lookup = async () => [{ address: '127.0.0.2', family: 4 }]
    await send(outletTo(origin, { lookup }), origin)
    expect(received).toHaveLength(1)
  })

  it('is told from the open Internet', async () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.0.1']) {
      expect([address, await isPublicAddress(address, 4)]).toEqual([address, true])
    }
    for (const address of ['2606:4700::1111', '2a00:1450::1']) {
      expect([address, await isPublicAddress(address, 6)]).toEqual([address, true])
    }
    for (const address of [
      '172.16.0.1',
      '172.31.255.255',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ]) {
      expect([address, await isPublicAddress(address, 4)]).toEqual([address, false])
    }
  })
})

describe('createWebhookVerifier', () => {
  const now = 1_790_000_000_000
  const body = '{"wfs":"x"}'
  const sign = (key: Buffer, id: string, seconds: string, text = body) =>
    `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')}`
  const headersOf = (id = 'msg_1', seconds = String(now / 1000), key = secret) => ({
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': sign(key, id, seconds),
  })
  const verify = createWebhookVerifier(secret)

  it('knows what was signed', async () => {
    expect(await verify({ headers: headersOf(), body }, { now })).toBe('msg_1')
  })

  it('knows an older secret beside the current one', async () => {
    const both = createWebhookVerifier([randomBytes(32), `whsec_${secret.toString('base64')}`])
    expect(await both({ headers: headersOf(), body }, { now })).toBe('msg_1')
    const other = sign(randomBytes(32), 'msg_1', String(now / 1000))
    const several = {
      ...headersOf(),
      'webhook-signature': `v1a,x ${other} ${headersOf()['webhook-signature']}`,
    }
    expect(await verify({ headers: several, body }, { now })).toBe('msg_1')
  })

  it.each([
    ['another body', headersOf(), '{"wfs":"y"}'],
    ['another id', { ...headersOf(), 'webhook-id': 'msg_2' }, body],
    ['another time', { ...headersOf(), 'webhook-timestamp': String(now / 1000 + 1) }, body],
    ['another secret', headersOf('msg_1', String(now / 1000), randomBytes(32)), body],
    ['no signature', { ...headersOf(), 'webhook-signature': '' }, body],
    ['half a signature', { ...headersOf(), 'webhook-signature': 'v1,' }, body],
    [
      'a signature of another kind',
      { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature'].slice(3) },
      body,
    ],
    [
      'a signature behind many',
      {
        ...headersOf(),
        'webhook-signature': `${'x '.repeat(2000)}${headersOf()['webhook-signature']}`,
      },
      body,
    ],
    ['an old one', headersOf('msg_1', String(now / 1000 - 301)), body],
    ['one of tomorrow', headersOf('msg_1', String(now / 1000 + 301)), body],
    ['a time that is none', headersOf('msg_1', '1e9'), body],
    ['a time in another guise', headersOf('msg_1', `0${now / 1000}`), body],
    ['no id', headersOf(''), body],
    ['an id with a dot, which would move the border', headersOf('msg.1'), body],
    ['nothing', {}, body],
    [
      'lists',
      { 'webhook-id': ['msg_1'], 'webhook-timestamp': ['1'], 'webhook-signature': ['x'] },
      body,
    ],
  ])('knows nothing of %s', async (_what, headers, text) => {
    expect(await verify({ headers, body: text }, { now })).toBeUndefined()
  })
})
