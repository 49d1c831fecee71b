import { AsWfLedger, AsWfStore } from '@atscript/moost-wf'
import type { DbSpace } from '@atscript/moost-wf/db'
import { AsWfRunStore } from '@atscript/moost-wf/store'
import { ExpenseRow } from '../../schemas/ExpenseRow.as'
import { RecoveryCodeRow } from '../../schemas/RecoveryCodeRow.as'
import { SessionRow } from '../../schemas/SessionRow.as'
import { UserRow } from '../../schemas/UserRow.as'
import { WfLedgerRow } from '../../schemas/WfLedgerRow.as'
import { WfEventRow, WfLinkRow, WfOutboxRow, WfRunRow } from '../../schemas/WfRunRows.as'
import { WfStateRow } from '../../schemas/WfStateRow.as'

/** The tables of the application, on whichever database it was told to use. */
export class Database {
  readonly space
  readonly users
  readonly sessions
  readonly recoveryCodes
  readonly expenses
  readonly wfStates
  readonly wfStore
  readonly ledger
  readonly runs

  constructor(space: DbSpace) {
    this.space = space
    this.users = this.space.table(UserRow)
    this.sessions = this.space.table(SessionRow)
    this.recoveryCodes = this.space.table(RecoveryCodeRow)
    this.expenses = this.space.table(ExpenseRow)
    this.wfStates = this.space.table(WfStateRow)
    // A stolen dump must hold no link that works.
    this.ledger = new AsWfLedger({ table: this.space.table(WfLedgerRow) })
    this.wfStore = new AsWfStore({ table: this.wfStates, hashHandles: true, ledger: this.ledger })
    this.runs = new AsWfRunStore({
      space: this.space,
      runs: this.space.table(WfRunRow),
      events: this.space.table(WfEventRow),
      links: this.space.table(WfLinkRow),
      outbox: this.space.table(WfOutboxRow),
    })
  }

  /** Creates what is missing of the tables. */
  async open(): Promise<void> {
    await this.space.sync()
  }

  async close(): Promise<void> {
    await this.space.close()
  }
}
