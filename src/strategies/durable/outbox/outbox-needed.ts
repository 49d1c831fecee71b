import { WfError } from '../../../errors'

/** Messages to several people are there together, or not at all. */
export function outboxNeeded(): WfError {
  return new WfError(
    'WF_CONFIG',
    'outletEach() writes a message to each: give the store of the runs a table as `outbox`, and the DurableStateStrategy a secret.',
  )
}
