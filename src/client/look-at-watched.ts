import { attempt, recordOf, textOf } from '../form-view'
import type { WfFetch } from './exchange'

/** How long nothing may come. The endpoint shows signs of life twice as often. */
const SILENCE_MS = 30_000
/** More than any answer, or any event, has. */
const MOST_CHARACTERS = 65_536
const LONGEST_RETRY_AFTER_MS = 300_000

/** What a look has brought beside what it has told. */
export interface Look {
  /** The token says nothing any more. */
  readonly isGone: boolean
  /** It was told by events, until their stream has ended. */
  readonly wasStream: boolean
  /** How long the server wants to be left alone. */
  readonly retryAfterMs: number
}

const NOTHING: Look = { isGone: false, wasStream: false, retryAfterMs: 0 }

/**
 * Asks once, and tells what comes: a JSON object, or several if the answer is a stream of events. Never
 * throws: an answer that breaks off, is silent or never ends has brought nothing.
 */
export const lookAtWatched = async (
  fetch: WfFetch,
  url: string,
  asksEvents: boolean,
  signal: AbortSignal,
  tell: (body: unknown) => void,
): Promise<Look> => {
  const aborter = new AbortController()
  const end = () => aborter.abort()
  signal.addEventListener('abort', end)
  let timer = setTimeout(end, SILENCE_MS)
  try {
    const response = await fetch(url, {
      method: 'GET',
      headers: { accept: `${asksEvents ? 'text/event-stream, ' : ''}application/json` },
      signal: aborter.signal,
    })
    const header = (name: string) => response.headers?.get(name) ?? ''
    const isStream = response.status === 200 && header('content-type').includes('event-stream')
    let text = ''
    for await (const chunk of textsOf(response)) {
      text += chunk
      if (isStream) {
        clearTimeout(timer)
        timer = setTimeout(end, SILENCE_MS)
        const events = text.split(/\r?\n\r?\n/)
        text = events.pop()!
        for (const event of events) tell(bodyOf(dataOf(event)))
      }
      if (text.length > MOST_CHARACTERS) return NOTHING
    }
    if (isStream) return { ...NOTHING, wasStream: true }
    const body = bodyOf(text)
    if (response.status < 300) tell(body)
    return {
      ...NOTHING,
      // A page that says 410 is not the endpoint.
      isGone: response.status === 410 && !!textOf(recordOf(recordOf(body).error).code),
      retryAfterMs: Math.min(Number(header('retry-after')) * 1000 || 0, LONGEST_RETRY_AFTER_MS),
    }
  } catch {
    return NOTHING
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    // Whatever still comes is not waited for.
    end()
  }
}

/** The body of an answer as it comes, or as a whole where there is no stream to read. */
async function* textsOf(response: Awaited<ReturnType<WfFetch>>): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return yield await response.text()
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

const bodyOf = (text: string): unknown => attempt(() => JSON.parse(text))

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice('data:'.length))
    .join('\n')
