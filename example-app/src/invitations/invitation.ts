import { outletEmail } from '@atscript/moost-wf'
import { AcceptForm } from '../../schemas/AcceptForm.as'
import type { Role } from '../accounts/accounts'

/** The context of an invitation. */
export interface Invitation {
  /** The shadow columns `inviteEmail` and `inviteRole` are taken from here. */
  invite: { email: string; role: Role; invitedBy: string }
  isMailed?: boolean
}

/** The mail to whoever is invited. Its link shows the form, and is used by the first answer that it takes. */
export const invitationLink = ({ invite: { email, role, invitedBy } }: Invitation) =>
  outletEmail(email, 'invitation', { role, invitedBy }, { form: AcceptForm, usedNote: email })
