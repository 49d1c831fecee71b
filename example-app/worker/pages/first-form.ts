import type { WfFetch } from '@atscript/moost-wf/client'

/** What the client sends, as far as it matters here. */
interface Sent {
  readonly wfid?: string
  readonly wfs?: string
  readonly input?: unknown
  readonly action?: string
}

const NOT_STARTED = 'not-started.'

/**
 * Shows the first form of a workflow by GET, which starts nothing, and starts it with what is typed. Until
 * then the client keeps a token that stands for the start. All that is sent with it has one request id: a start
 * whose answer was lost is repeated, and nothing that is typed meanwhile starts a second flow.
 */
export const fetchFirstForm =
  (name: string): WfFetch =>
  async (url, init) => {
    const { wfid, wfs, ...sent } = JSON.parse(init.body ?? '{}') as Sent
    const start = wfid && sent.input === undefined ? newStart() : wfs
    if (!start?.startsWith(NOT_STARTED)) return fetch(url, init)
    if (sent.input === undefined && sent.action === undefined) {
      const form = await fetch(`${url}?wfid=${encodeURIComponent(name)}`, { signal: init.signal })
      return answerOf(form, answer => (form.ok ? { ...answer, wfs: start } : answer))
    }
    const requestId = start.slice(NOT_STARTED.length)
    const body = JSON.stringify({ ...sent, wfid: name, requestId })
    return answerOf(await fetch(url, { ...init, body }), answer =>
      // Something else was sent first, and is answered. As for a token, that one counts.
      answer.error?.code === 'WF_REQUEST_CHANGED' ? used(name) : answer,
    )
  }

interface Answer {
  readonly error?: { readonly code: string; readonly status: number }
}

async function answerOf(response: Response, change: (answer: Answer) => Answer) {
  const { headers } = response
  const answer = change((await response.json()) as Answer)
  const status = answer.error?.status ?? response.status
  return { status, headers, text: async () => JSON.stringify(answer) }
}

function used(wfid: string) {
  const message = 'Something else was sent already. Please start again.'
  return { error: { code: 'WF_USED', message, status: 410, restart: { wfid } } }
}

function newStart(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)))
  return NOT_STARTED + bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
}
