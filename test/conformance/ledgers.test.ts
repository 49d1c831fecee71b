import { WfLedgerMemory } from '@atscript/moost-wf'
import { describeLedger, FakeClock } from '@atscript/moost-wf/testing'
import { describe, inject } from 'vitest'
import { mysqlDatabase, conformanceEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'

describeLedger({
  name: 'in memory',
  open: () => {
    const clock = new FakeClock()
    return { clock, ledger: new WfLedgerMemory({ clock }) }
  },
})

const withoutReturning = {
  name: 'MariaDB, as MySQL would be, without returning',
  create: () => mysqlDatabase({ returning: false }),
}
const engines = [...conformanceEngines(), ...(inject('mysqlUrl') ? [withoutReturning] : [])]

describe.each(engines)('on $name', engine => {
  const { open } = useLedgerDatabase(engine)
  describeLedger({ name: 'AsWfLedger', open })
})
