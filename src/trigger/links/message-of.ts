import { recordOf } from '../../form-view'
import { isLocalPath, isWfFinished } from '../../run'
import { isRecord } from '../../state'
import { CODE, FRESH, RESTART, type TriggerRequest, WATCH } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import type { AnswerToPerson } from './answer-to-person'
import type { Message, Way } from './confirm-page'
import { textsOf, type WfPageTexts } from './page-texts'
import { themeOf } from './send-page'
import { fromPage, tokenField } from './page-fields'
import { isAboutLinkCode, waysByLinkCode } from './ways-by-code'

/** Codes after which the same may be sent again. */
const PASSING = /^WF_(?:BUSY|CONFLICT|TOO_MANY|OUTLET_FAILED|INTERNAL)$/u

/** An answer in words, and how a person can go on from it. */
export function messageOf(config: ResolvedOutletConfig, answer: AnswerToPerson): Message {
  const { body, request, isRepeated } = answer
  const says = textsOf(themeOf(config))
  const { code } = recordOf(recordOf(body).error)
  const isPassing = PASSING.test(String(code)) && !(request && isAboutLinkCode(code, request))
  const maySendAgain = request?.requestId !== undefined && isPassing
  return {
    title: sentenceOf(body, request, says),
    text: isRepeated ? says.repeated : maySendAgain ? says.reload : hintOf(body, says),
    ways: [
      ...waysByCode(body, request, says),
      ...waysByLinkCode(config, body, request, says),
      ...waysOfEnd(body),
      ...waysOfRefusal(config, body, request, says),
    ],
  }
}

function sentenceOf(body: unknown, request: TriggerRequest | undefined, says: WfPageTexts): string {
  const { message, sent, noted, retrying, accepted } = recordOf(body)
  const sentence = isRecord(message) ? message.text : message
  if (typeof sentence === 'string') return sentence
  if (sent === true) return says.sent
  if (noted === true) return says.noted
  if (accepted === true) return request?.isCodeAsked ? says.codeAsked : says.freshAsked
  if (retrying === true) return says.working
  return isWfFinished(body) ? says.done : says.thanks
}

function hintOf(body: unknown, says: WfPageTexts): string | undefined {
  const { noted, canChange } = recordOf(body)
  return noted === true && canChange === true ? says.notFinal : undefined
}

/** A field for the code in a message that was sent. */
function waysByCode(body: unknown, request: TriggerRequest | undefined, says: WfPageTexts): Way[] {
  const { sent, watch, code, error } = recordOf(body)
  const { code: refused, triesLeft } = recordOf(error)
  const isWrong = refused === 'WF_CODE_WRONG' && triesLeft !== 0
  const watched = isWrong ? request?.entered?.watch : sent === true && code === true && watch
  if (typeof watched !== 'string') return []
  const wrong = isWrong ? `${says.triesLeft} ${triesLeft}` : undefined
  const asks = { name: CODE, label: says.code, help: says.codeHelp, wrong }
  return [{ label: says.enterCode, fields: { [WATCH]: watched, ...fromPage() }, asks }]
}

/** What the end of a workflow lets the user choose. */
function waysOfEnd(body: unknown): Way[] {
  const { primary, options } = recordOf(recordOf(body).next)
  return [primary, options].flat().flatMap(button => {
    const { label, action } = recordOf(button)
    const { type, target } = recordOf(action)
    const leads = type === 'redirect' && typeof target === 'string' && isLocalPath(target)
    return leads && typeof label === 'string' ? [{ label, href: target }] : []
  })
}

/** What can be done about a token that is of no use any more. Add a way here, and the page has it. */
function waysOfRefusal(
  config: ResolvedOutletConfig,
  body: unknown,
  request: TriggerRequest | undefined,
  says: WfPageTexts,
): Way[] {
  const { restart, answered, fresh } = recordOf(recordOf(body).error)
  const { wfid, carriesOver } = recordOf(restart)
  const token = tokenField(config, request)
  const isRenewable = fresh === true && config.token.name in token
  const anew = { label: says.fresh, fields: { ...token, [FRESH]: 'true', ...fromPage() } }
  const ways = isRenewable ? [anew] : []
  // Whoever comes late has nothing to start again.
  if (answered !== undefined || typeof wfid !== 'string') return ways
  const carried = carriesOver === true && { ...token, [RESTART]: 'true' }
  const fields = { [config.wfidName]: wfid, ...carried, ...fromPage() }
  return [...ways, { label: says.restart, fields }]
}
