import { WfError } from '../../errors'

/** What whoever changes a run from outside is told when somebody works on it. */
export function goesOn(): WfError {
  return new WfError('WF_CONFLICT', 'This run goes on at this moment.')
}
