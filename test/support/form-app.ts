import {
  handleAsOutletRequest,
  HandleStateStrategy,
  handleWfOutletRequest,
  MoostWf,
  type WfOutletConfig,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { All } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { startApp } from './moost-app'
import { type Answer, type Door, request, type SendOptions } from './shop'

// oxlint-disable-next-line typescript/no-explicit-any -- any class can be a controller
type Workflows = new (...args: any[]) => object

/** An application with the given workflows at one endpoint, in the envelope of forms or bare. */
export async function openFormApp(
  workflows: Workflows,
  overrides: Partial<WfOutletConfig> = {},
  envelope: 'as' | 'bare' = 'as',
  door: Door = 'a socket',
) {
  const store = new WfStateStoreMemory()
  const config = { state: new HandleStateStrategy({ store }), ...overrides } as WfOutletConfig

  @Controller()
  class Endpoint {
    constructor(readonly wf: MoostWf) {}

    @All('wf')
    handle() {
      return envelope === 'as'
        ? handleAsOutletRequest(config, this.wf)
        : handleWfOutletRequest(config, this.wf)
    }
  }

  const { url, log, wf, http } = await startApp([workflows, Endpoint])
  const enter = door === 'fetch' ? (asked: Request) => http.fetch(asked) : fetch
  const send = (body: unknown, headers?: Record<string, string>): Promise<Answer> =>
    request(url, body, { headers }, enter)
  return {
    url,
    log,
    wf,
    store,
    send,
    ask: (options: SendOptions): Promise<Answer> => request(url, undefined, options, enter),
    sendRaw: (rawBody: string): Promise<Answer> => request(url, undefined, { rawBody }),
    async start(wfid: string): Promise<string> {
      return (await send({ wfid })).body.wfs
    },
    /** The context that is stored for a token. */
    async contextOf(wfs: string): Promise<unknown> {
      return (await store.get(wfs.slice('default.'.length)))?.state.context
    },
  }
}
