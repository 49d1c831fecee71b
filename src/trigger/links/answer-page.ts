import { useResponse } from '@wooksjs/event-http'
import { recordOf } from '../../form-view'
import { isFormSchema } from '../form-page/form-page'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import type { AnswerToPerson } from './answer-to-person'
import { confirmPage, messagePage, type WfConfirmInfo } from './confirm-page'
import { messageOf } from './message-of'
import { textsOf } from './page-texts'
import { askedIn, showForm } from './show-form'
import { leadsTo, sendPage, themeOf, withToken } from './send-page'

/** Asks whoever has opened a link to go on with it. */
export function askToConfirm(config: ResolvedOutletConfig, info: WfConfirmInfo): string {
  const { confirm } = config.page
  const target = leadsTo(config, info.wfid)
  if (typeof confirm !== 'function') return sendPage(confirmPage(info, confirm, target))
  const csp = `frame-ancestors 'none'; base-uri 'none'; form-action ${target}`
  return sendPage({ html: confirm(info), csp })
}

/** Answers a person instead of a program: what would be JSON becomes the next page, or a sentence. */
export function answerPerson(config: ResolvedOutletConfig, answer: AnswerToPerson): unknown {
  const response = useResponse()
  if (response.getHeader('location') !== undefined) return ''
  const { body, wfid } = answer
  const asked = askedIn(config, body)
  if (asked && isFormSchema(asked.payload) && isShownHere(config, answer)) {
    return showForm(config, { ...answer, asked: { ...asked, payload: asked.payload } })
  }
  if (asked && wfid !== undefined) {
    const address = config.page.resumeUrl(wfid)
    if (address === undefined) return say(config, { ...answer, body: undefined }, 'notHere')
    const next = recordOf(body)[config.token.name]
    response.setStatus(303).setHeader('location', withToken(config, address, next))
    return ''
  }
  return say(config, answer)
}

/** Whether a form is shown by a page of ours, or by one of the application. */
function isShownHere({ page }: ResolvedOutletConfig, answer: AnswerToPerson): boolean {
  const { wfid, request, isOnlyShown } = answer
  if (request?.shownForm !== undefined) return true
  if (isOnlyShown) return page.showsForms
  return wfid !== undefined && page.resumeUrl(wfid) === undefined
}

function say(config: ResolvedOutletConfig, answer: AnswerToPerson, text?: 'notHere'): string {
  const theme = themeOf(config)
  const message = messageOf(config, answer)
  const title = text === undefined ? message.title : textsOf(theme)[text]
  return sendPage(messagePage({ ...message, title, leadsTo: leadsTo(config, answer.wfid) }, theme))
}
