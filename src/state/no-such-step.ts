import { WfError } from '../errors'

/** A run is to go on at a step that its workflow does not have, or not once. */
export class NoSuchStep extends WfError {
  constructor(
    readonly step: string,
    message: string,
  ) {
    super('WF_NO_SUCH_STEP', message)
  }
}
