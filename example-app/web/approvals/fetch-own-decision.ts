import type { WfFetch } from '@atscript/moost-wf/client'
import { ApiError, getJson, postJson } from '../api/api'

/** Stands for a decision that the session gives the right to, until there is a token for it. */
export const OWN_DECISION = 'own-decision'

/**
 * Decides by the session, without the link of the mail: the form is shown without a token, and one is asked for
 * when there is an answer to send. Only then the link in the mail is dead.
 */
export const fetchOwnDecision =
  (id: string, storage: Storage): WfFetch =>
  async (url, init) => {
    const sent = JSON.parse(init.body ?? '{}') as Readonly<Record<string, unknown>>
    if (sent.wfs !== OWN_DECISION) return fetch(url, init)
    const path = `/api/approvals/${encodeURIComponent(id)}`
    const key = `token:${path}`
    try {
      if (sent.input === undefined) {
        return answer(200, { ...(await getJson<object>(path)), wfs: OWN_DECISION })
      }
      // The same one again, if its answer was lost: it is known there.
      const wfs = storage.getItem(key) ?? (await postJson<{ wfs: string }>(`${path}/token`)).wfs
      storage.setItem(key, wfs)
      const response = await fetch(url, { ...init, body: JSON.stringify({ ...sent, wfs }) })
      const text = await response.text()
      if (response.status < 500) storage.removeItem(key)
      return { status: response.status, headers: response.headers, text: async () => text }
    } catch (error) {
      if (error instanceof ApiError && error.status > 0) return refusal(error)
      throw error
    }
  }

/** As the endpoint says it. */
function refusal({ status, message }: ApiError) {
  const isGone = status === 404
  const code = isGone ? 'WF_STATE_GONE' : status < 500 ? 'WF_REJECTED' : 'WF_INTERNAL'
  return answer(isGone ? 410 : status, { error: { code, message } })
}

const answer = (status: number, body: object) => ({
  status,
  text: async () => JSON.stringify(body),
})
