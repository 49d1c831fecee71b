import type { MoostWf } from '@atscript/moost-wf'
import { createWfAdminController } from '@atscript/moost-wf/admin'
import { HttpError } from '@atscript/moost-wf/http'
import { questionLink } from '../approvals/expense-links'
import type { Expense } from '../approvals/expense'
import { type Invitation, invitationLink } from '../invitations/invitation'
import type { Services } from '../services'
import { mailPreview } from './mail-preview'
import { type Recovery, recoveryLink } from '../sign-in/recovery'

/** What is mailed at the steps that wait for somebody with a link. */
const LINKS = new Map([
  ['users/acceptance', (context: unknown) => invitationLink(context as Invitation)],
  ['auth/new-password', (context: unknown) => recoveryLink(context as Recovery)],
  ['approvals/answer', (context: unknown) => questionLink(context as Expense)],
])

/** The API of the admin console, for admins alone. */
export function createAdmin(services: Services, wf: MoostWf) {
  const { database, sessions, outlet, address } = services
  return createWfAdminController({
    store: database.wfStore,
    runs: () => services.runs,
    actor: async () => (await sessions.current())?.email,
    wf,
    prefix: 'api/admin',
    origins: [address.origin],
    guard: async () => Boolean(await sessions.withRole('admin')),
    preview: mailPreview,
    resend: async ({ token, stepId = '', context }) => {
      const link = LINKS.get(stepId)
      if (!link) throw new HttpError(409, 'This flow waits for a form, not for a link.')
      await outlet.deliver(link(context).inputRequired, token)
    },
  })
}
