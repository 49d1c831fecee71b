import { recordOf } from '../../form-view'
import { CODE, REQUEST_ID, SEND_CODE, type TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import type { HiddenFields, Way } from './confirm-page'
import { fromPage, tokenField } from './page-fields'
import type { WfPageTexts } from './page-texts'

/** How somebody goes on by a link that needs a code as well: by typing it, and by having one sent. */
export function waysByLinkCode(
  config: ResolvedOutletConfig,
  body: unknown,
  request: TriggerRequest | undefined,
  says: WfPageTexts,
): Way[] {
  const { accepted, error } = recordOf(body)
  const { code: refused, triesLeft } = recordOf(error)
  const isAsked = accepted === true && request?.isCodeAsked
  if (!request || !(isAsked || isAboutLinkCode(refused, request))) return []
  const fields = fieldsToSendAgain(config, request)
  if (!(config.token.name in fields)) return []
  const anew = { label: says.sendCode, fields: { ...fields, [SEND_CODE]: 'true' } }
  const isSent = isAsked || (typeof triesLeft === 'number' && triesLeft > 0)
  if (!isSent) return [anew]
  const wrong = refused === 'WF_CODE_WRONG' ? `${says.triesLeft} ${triesLeft}` : undefined
  const asks = { name: CODE, label: says.code, help: says.linkCodeHelp, wrong }
  return [{ label: says.enterCode, fields, asks }, anew]
}

/** Whether a refusal is about the code beside a token, and not about one that takes its place. */
export function isAboutLinkCode(refused: unknown, { entered, code }: TriggerRequest): boolean {
  if (refused === 'WF_CODE_NEEDED') return true
  const isCode = refused === 'WF_CODE_WRONG' || refused === 'WF_TOO_MANY'
  return isCode && !entered && code !== undefined
}

/** What was typed into a form is sent again with the code: that may have expired over it. */
function fieldsToSendAgain(config: ResolvedOutletConfig, request: TriggerRequest): HiddenFields {
  const token = tokenField(config, request)
  if (request.shownForm === undefined) return { ...token, ...fromPage() }
  const left: readonly string[] = [config.token.name, CODE, SEND_CODE, REQUEST_ID]
  const typed = Object.entries(request.body).filter(([name]) => !left.includes(name))
  const { [REQUEST_ID]: requestId } = fromPage()
  return { ...(Object.fromEntries(typed) as HiddenFields), ...token, [REQUEST_ID]: requestId! }
}
