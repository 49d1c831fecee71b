import {
  createAsHttpOutlet,
  defineOutletConfig,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  type WfOutlet,
} from '@atscript/moost-wf'
import type { Sessions } from '../accounts/sessions'
import type { Database } from '../database/database'
import type { Settings } from '../settings/settings'

const ALLOWED_WORKFLOWS = ['auth/login', 'auth/recover', 'users/invite', 'approvals/expense']
const HANDLE_STATE_WFIDS = new Set(['users/invite', 'approvals/expense'])

const A_DAY_MS = 24 * 60 * 60_000

/** How workflows are run, and where each of them keeps its state. */
export class WfEndpoint {
  readonly config

  constructor(
    { secrets, publicUrl }: Settings,
    { wfStore, ledger }: Database,
    email: WfOutlet,
    sessions: Sessions,
  ) {
    this.config = defineOutletConfig({
      allow: ALLOWED_WORKFLOWS,
      state: {
        strategies: {
          handle: new HandleStateStrategy({ store: wfStore, defaultTtl: A_DAY_MS }),
          encapsulated: new EncapsulatedStateStrategy({ secret: [...secrets], replay: ledger }),
        },
        default: wfid => (HANDLE_STATE_WFIDS.has(wfid) ? 'handle' : 'encapsulated'),
      },
      outlets: [createAsHttpOutlet(), email],
      ledger,
      publicUrl,
      actor: async () => (await sessions.current())?.email,
    })
  }
}
