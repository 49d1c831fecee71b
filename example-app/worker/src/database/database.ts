import { AsWfLedger, AsWfRunStore } from '@atscript/moost-wf'
import type { DbSpace } from '@atscript/moost-wf/db'
import { SessionRow, UserRow } from '../../schemas/Accounts.as'
import { MailRow } from '../../schemas/MailRow.as'
import { WfEventRow, WfLedgerRow, WfLinkRow, WfOutboxRow, WfRunRow } from '../../schemas/WfRows.as'

/** The tables. They are made by the migrations, which are printed from these schemas. */
export class Database {
  readonly users
  readonly sessions
  readonly mails
  readonly ledger
  readonly runs

  constructor(readonly space: DbSpace) {
    this.users = space.table(UserRow)
    this.sessions = space.table(SessionRow)
    this.mails = space.table(MailRow)
    this.ledger = new AsWfLedger({ table: space.table(WfLedgerRow) })
    this.runs = new AsWfRunStore({
      space,
      runs: space.table(WfRunRow),
      events: space.table(WfEventRow),
      links: space.table(WfLinkRow),
      outbox: space.table(WfOutboxRow),
    })
  }
}
