import type { WfMessagePreview, WfMessageToPreview } from '@atscript/moost-wf/admin'
import { LINK_MAILS } from '../mail/link-mails'

/** A mail with a link as it was sent, for the admin console, which must not have the link. */
export function mailPreview({
  template = '',
  context,
  link,
}: WfMessageToPreview): WfMessagePreview | null {
  return LINK_MAILS[template]?.write(context, link, link) ?? null
}
