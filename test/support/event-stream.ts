import { onTestFinished } from 'vitest'

/** A stream of server-sent events, as a page would read it. */
export interface EventStream {
  readonly status: number
  readonly headers: Headers
  /** Everything that has come. */
  text(): string
  /** The states that were told. */
  states(): string[]
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
  /** Goes away. */
  leave(): void
}

export async function openEvents(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  })
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  const ended = read()
  // A test may leave without waiting for the end.
  ended.catch(() => undefined)
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    states: () => [...text.matchAll(/^data: (.*)$/gmu)].map(([, data]) => JSON.parse(data!).state),
    ended,
    leave: () => leaving.abort(),
  }
}
