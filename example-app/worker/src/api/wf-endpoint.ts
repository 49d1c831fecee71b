import {
  createAsHttpOutlet,
  createJoseCipher,
  defineOutletConfig,
  DurableStateStrategy,
  EncapsulatedStateStrategy,
  type TokenCipher,
  type TokenCipherFactory,
} from '@atscript/moost-wf'
import { networkOf, useClientAddress } from '@atscript/moost-wf/http'
import type { Sessions } from '../accounts/sessions'
import type { Database } from '../database/database'
import { mailOutlet } from '../mail/mail-outlet'
import type { Mails } from '../mail/mails'
import type { Settings } from '../settings/settings'

const ALLOWED_WORKFLOWS = ['auth/sign-in', 'users/invite', 'approvals/expense', 'news/write']
/** Nobody starts it from outside. */
const INTERNAL_WORKFLOWS = ['news/deliver']
/** The others live in their tokens. */
const DURABLE = new Set(['users/invite', 'approvals/expense', ...INTERNAL_WORKFLOWS])

const A_DAY_MS = 24 * 60 * 60_000

/** What steps may know of a request, also when it is over. */
export interface RequestFacts {
  readonly network: string
}

/** How workflows are run, and where each of them keeps its state. */
export class WfEndpoint {
  readonly #ciphers: TokenCipher[] = []
  /** For requests. */
  readonly config
  /** For what goes on without one. */
  readonly runs

  constructor(settings: Settings, database: Database, mails: Mails, sessions: Sessions) {
    const secret = [...settings.secrets]
    const cipher: TokenCipherFactory = options => {
      const made = createJoseCipher(options)
      this.#ciphers.push(made)
      return made
    }
    const { runs, ledger } = database
    const durable = new DurableStateStrategy({ runs, secret, cipher, defaultTtl: A_DAY_MS })
    const encapsulated = new EncapsulatedStateStrategy({ secret, cipher })
    this.config = defineOutletConfig({
      allow: ALLOWED_WORKFLOWS,
      // All of them begin with a form, and nobody's visit leaves anything behind.
      describe: ALLOWED_WORKFLOWS,
      confirmPage: { title: 'Something waits for you', accent: '#3b4fc4' },
      state: {
        strategies: { encapsulated, durable },
        default: (wfid: string) => (DURABLE.has(wfid) ? 'durable' : 'encapsulated'),
      },
      outlets: [createAsHttpOutlet(), mailOutlet(mails, settings.publicUrl)],
      ledger,
      publicUrl: settings.publicUrl,
      facts: () => ({ network: networkOf(useClientAddress()) }),
      actor: async () => (await sessions.current())?.email,
    })
    this.runs = { ...this.config, allow: [...ALLOWED_WORKFLOWS, ...INTERNAL_WORKFLOWS] }
  }

  /** Derives the keys now: what a request has begun ends with it, and others may wait for that. */
  async open(): Promise<void> {
    await Promise.all(this.#ciphers.map(cipher => cipher.kids()))
  }
}
