import { WfError } from '../../errors'

const LOSSES: readonly string[] = ['WF_CONFLICT', 'WF_REVOKED', 'WF_TIMEOUT']

/** What whoever has lost a run would have written is another's now. */
export function ignoreLoss(error: unknown): undefined {
  if (!(error instanceof WfError && LOSSES.includes(error.code))) throw error
}
