import {
  createAsHttpOutlet,
  defineOutletConfig,
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  type WfOutlet,
} from '@atscript/moost-wf'
import type { Sessions } from '../accounts/sessions'
import type { Callers } from './callers'
import type { Database } from '../database/database'
import type { Settings } from '../settings/settings'

/** What requests may start and go on with. */
export const ALLOWED_WORKFLOWS = [
  'auth/login',
  'auth/recover',
  'auth/second-factor',
  'users/invite',
  'approvals/expense',
]
/** Where each of them keeps its state; the others are their tokens. */
const STRATEGIES = new Map<string, 'durable'>([
  ['users/invite', 'durable'],
  ['approvals/expense', 'durable'],
])

const A_DAY_MS = 24 * 60 * 60_000

/** How workflows are run, and where each of them keeps its state. */
export class WfEndpoint {
  readonly config

  constructor(
    { secrets, publicUrl }: Settings,
    { wfStore, ledger, runs }: Database,
    email: WfOutlet,
    sessions: Sessions,
    callers: Callers,
  ) {
    this.config = defineOutletConfig({
      allow: ALLOWED_WORKFLOWS,
      // All of them begin with a form, and nobody's visit leaves anything behind.
      describe: ALLOWED_WORKFLOWS,
      watchEvents: true,
      // For links that name their form, in browsers without JavaScript.
      confirmPage: { title: 'An expense waits for you', accent: '#3a4fc4' },
      state: {
        strategies: {
          handle: new HandleStateStrategy({ store: wfStore, defaultTtl: A_DAY_MS }),
          durable: new DurableStateStrategy({
            runs,
            secret: [...secrets],
            defaultTtl: A_DAY_MS,
            errorMessages: true,
          }),
          encapsulated: new EncapsulatedStateStrategy({ secret: [...secrets], replay: ledger }),
        },
        default: wfid => STRATEGIES.get(wfid) ?? 'encapsulated',
      },
      outlets: [createAsHttpOutlet(), email],
      ledger,
      publicUrl,
      facts: () => callers.facts(),
      actor: async () => (await sessions.current())?.email,
    })
  }
}
