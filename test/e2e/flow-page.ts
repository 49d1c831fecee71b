import {
  createAsHttpOutlet,
  defineOutletConfig,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { All } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import type { Page } from 'playwright-core'
import { openPage, type PageOptions } from '../support/browser'
import { startApp } from '../support/moost-app'
import { openWebPage } from './web-page'

export interface FlowPageOptions extends PageOptions {
  /** Called before anything is loaded. */
  readonly before?: (page: Page) => Promise<unknown>
}

/** A page that runs the workflow `users/invite` of the controller, and nothing else. */
export async function openFlowPage(
  workflows: new () => object,
  { before, ...options }: FlowPageOptions = {},
): Promise<Page> {
  const config = defineOutletConfig({
    state: new HandleStateStrategy({ store: new WfStateStoreMemory() }),
    outlets: [createAsHttpOutlet()],
  })

  @Controller('api')
  class Endpoint {
    constructor(private wf: MoostWf) {}

    @All('wf')
    handle() {
      return handleAsOutletRequest(config, this.wf)
    }
  }

  const { url } = await startApp([workflows, Endpoint])
  const page = await openPage(options)
  await before?.(page)
  await openWebPage(page, url, 'flow.html')
  return page
}
