import {
  createAsHttpOutlet,
  createEmailOutlet,
  defineOutletConfig,
  handleAsOutletRequest,
  HandleStateStrategy,
  MoostWf,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { All, Get } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { inbox } from './inbox'

const config = defineOutletConfig({
  allow: ['users/invite'],
  state: {
    strategies: { handle: new HandleStateStrategy({ store: new WfStateStoreMemory() }) },
    default: 'handle',
  },
  outlets: [createAsHttpOutlet(), createEmailOutlet(inbox.deliver)],
})

/** The one route that all workflows go through. */
@Controller('api')
export class WfController {
  constructor(private wf: MoostWf) {}

  @All('wf')
  handle() {
    return handleAsOutletRequest(config, this.wf)
  }

  @Get('inbox')
  mails() {
    return inbox.list()
  }
}
