import { handleAsOutletRequest, MoostWf } from '@atscript/moost-wf'
import { All } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { WfEndpoint } from './wf-endpoint'

/** The one route that all workflows go through. */
@Controller('api')
export class WfController {
  constructor(
    private readonly endpoint: WfEndpoint,
    private readonly wf: MoostWf,
  ) {}

  @All('wf')
  handle() {
    return handleAsOutletRequest(this.endpoint.config, this.wf)
  }
}
