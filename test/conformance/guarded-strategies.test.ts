import { EncapsulatedStateStrategy } from '@atscript/moost-wf'
import { describeStateStrategy } from '@atscript/moost-wf/testing'
import { describe } from 'vitest'
import { conformanceEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'

// Not a random one: a Worker makes none while it starts.
const secret = '01ab'.repeat(16)

describe.each(conformanceEngines())('on $name', engine => {
  const { open } = useLedgerDatabase(engine)

  describeStateStrategy({
    name: 'encapsulated with a replay guard in a database',
    open: async () => {
      const { clock, ledger } = await open()
      return { clock, strategy: new EncapsulatedStateStrategy({ secret, clock, replay: ledger }) }
    },
    lacks: {
      stays: 'the token is the state: another state is another token',
      reissue: 'the token is the state: nobody else has it',
      runKeys: 'only a durable run is looked for by a key',
      panels: 'only a durable run has several links',
    },
  })
})
