import type { WfRuns } from '@atscript/moost-wf'
import type { MailText } from '../mail/mail-text'

/** The context of a mail that is on its way. */
export interface Notice {
  readonly to: string
  readonly mail: MailText
}

export const NOTICE_WORKFLOW = 'approvals/notice'

/** Mails that tell people what has become of an expense. */
export class Notices {
  /** @param runs asked late: they are there when the workflows are */
  constructor(private readonly runs: () => WfRuns) {}

  /** They are on their way when the transaction is committed, and if it is. */
  async send(people: Iterable<string>, mail: MailText, transaction: object): Promise<void> {
    for (const to of new Set(people)) {
      const context: Notice = { to, mail }
      await this.runs().start(NOTICE_WORKFLOW, { context, transaction })
    }
  }
}
