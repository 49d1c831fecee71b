import { useResponse } from '@wooksjs/event-http'
import { isRecord } from '../../state'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { isWfFinished } from '../../run'
import { confirmPage, messagePage, type Page, type WfConfirmInfo } from './confirm-page'

/** Asks whoever has opened a link to go on with it. */
export function askToConfirm({ page }: ResolvedOutletConfig, info: WfConfirmInfo): string {
  const leadsTo = originOf(page.resumeUrl(info.wfid))
  if (typeof page.confirm !== 'function') return sendPage(confirmPage(info, page.confirm, leadsTo))
  const csp = `frame-ancestors 'none'; base-uri 'none'; form-action ${leadsTo}`
  return sendPage({ html: page.confirm(info), csp })
}

/** Where the form of a page may lead to: browsers look at redirects too. */
function originOf(url: string): string {
  return URL.canParse(url) ? `'self' ${new URL(url).origin}` : `'self'`
}

/**
 * Answers a person instead of a program: what would be JSON becomes the next page, or a sentence.
 *
 * @param wfid of the answer; there is none if it is a refusal
 */
export function answerPerson(
  config: ResolvedOutletConfig,
  body: unknown,
  wfid: string | undefined,
): unknown {
  const response = useResponse()
  if (response.getHeader('location') !== undefined) return ''
  const { token, page } = config
  const theme = typeof page.confirm === 'function' ? {} : page.confirm
  if (isRecord(body) && body.inputRequired !== undefined && wfid !== undefined) {
    const next = body[token.name]
    const fragment = typeof next === 'string' ? `#${token.name}=${encodeURIComponent(next)}` : ''
    response.setStatus(303).setHeader('location', `${page.resumeUrl(wfid)}${fragment}`)
    return ''
  }
  return sendPage(messagePage(sentenceOf(body), theme))
}

function sentenceOf(body: unknown): string {
  const message = isRecord(body) ? body.message : undefined
  const sentence = isRecord(message) ? message.text : message
  if (typeof sentence === 'string') return sentence
  if (isRecord(body) && body.sent === true) return 'A message is on its way.'
  return isWfFinished(body) ? 'Done. You can close this page.' : 'Thank you.'
}

function sendPage({ html, csp }: Page): string {
  useResponse()
    .setHeader('content-security-policy', csp)
    .setContentType('text/html; charset=utf-8')
    .setHeader('x-content-type-options', 'nosniff')
    .setHeader('x-robots-tag', 'noindex')
  return html
}
