import { tabStorage, takeLinkToken } from './browser'
import { assertOptions, type WfClientOptions } from './client-options'
import type { WfClient, WfClientState, WfClientTypes } from './client-types'
import { textOf } from '../form-view'
import { keepToken, type KeptToken } from './kept-token'
import { isGone, readError, readPause } from './read-answer'
import { newRequestId } from './request-id'
import { createSender } from './sender'
import { createSnapshots } from './snapshots'
import type { WfPendingResume } from './wire'

type State = WfClientState<{ form: unknown }>

interface Fields {
  readonly [name: string]: unknown
  readonly input?: State['data']
}

const NOTHING: State = { data: {}, errors: {}, context: {}, loading: false, finished: false }

/**
 * A workflow in the browser: starts it, shows what it asks for, sends what was typed, and keeps the
 * token in this tab, so that a reload goes on.
 *
 * A token in the address of the page (`?wfs=`) is taken out of it and only looked at. It is used when
 * `resume()` is called, from a click: programs open links too.
 *
 * @throws TypeError for wrong options
 *
 * @example
 * ```ts
 * import { createWfClient } from '@atscript/moost-wf/client'
 *
 * const login = createWfClient({ path: '/api/wf', name: 'auth/login' })
 * login.subscribe(({ form, errors, loading }) => console.log(form, errors, loading))
 * await login.start()
 * await login.submit({ email: 'ada@example.com', password: 'correct horse' })
 * ```
 */
export const createWfClient = <W extends WfClientTypes = WfClientTypes>(
  options: WfClientOptions,
): WfClient<W> => {
  const {
    path,
    name,
    tokenTransport = 'body',
    tokenName = 'wfs',
    wfidName = 'wfid',
    initialToken,
    fetch = globalThis.fetch,
    storage = tabStorage(),
  } = { ...options }
  const byCookie = tokenTransport === 'cookie'
  assertOptions({
    path: textOf(path),
    name: textOf(name),
    tokenTransport: ['body', 'query', 'cookie'].includes(tokenTransport),
    tokenName: textOf(tokenName),
    wfidName: textOf(wfidName),
    // A cookie that scripts cannot see is not theirs to write.
    initialToken: initialToken === undefined || (textOf(initialToken) && !byCookie),
    fetch: typeof fetch === 'function',
    storage: !storage || storage.setItem,
  })
  const { get, set, subscribe } = createSnapshots(NOTHING)
  const { send, retry, wait } = createSender(fetch, get, set)
  const flow = keepToken(byCookie ? null : storage, `moost-wf:${path}:${name}`, initialToken)
  const link = keepToken(storage, `moost-wf-link:${path}:${name}`, takeLinkToken(tokenName))

  // Without fields it is a look at a link, by GET. Fields without a kept token start a workflow.
  const call = (fields?: Fields, kept?: KeptToken, whenGone?: () => Promise<State>) => {
    const token = kept?.get()
    const inAddress = token && (!fields || tokenTransport === 'query')
    return send({
      key: JSON.stringify(fields),
      url: inAddress
        ? `${path}${path.includes('?') ? '&' : '?'}${tokenName}=${encodeURIComponent(token)}`
        : path,
      body:
        fields &&
        JSON.stringify({
          [tokenName]: inAddress ? undefined : token,
          ...fields,
          requestId: kept && newRequestId(),
        }),
      settle: reply => {
        const { [tokenName]: next, ...response } = reply.body
        const { inputRequired, finished, sent, wfid, expiresAt } = response
        const isPause = inputRequired && (next || byCookie)
        if (isPause || finished || sent) {
          link.set()
          if (!byCookie) flow.set(next as string)
          return set(
            isPause ? readPause(inputRequired, get()) : { response, finished: Boolean(finished) },
            NOTHING,
          )
        }
        const error = readError(reply)
        const isDead = isGone(error)
        // An error may come with a token, which takes the place of the one that is used up.
        if (isDead || next) kept?.set(next as string)
        if (isDead && whenGone) return whenGone()
        return set({
          loading: false,
          error: isDead || fields ? error : undefined,
          pendingResume: link.get()
            ? (get().pendingResume ?? ({ wfid, expiresAt } as WfPendingResume))
            : undefined,
        })
      },
    })
  }

  const startAnew = (input?: State['data']) => call({ [wfidName]: name, input })

  const answer = (fields: Fields) => {
    const token = flow.get()
    if (link.get() || !(token || get().form)) throw new TypeError('There is no form to send.')
    if (fields.input) set({ data: fields.input })
    // Without a token it is gone, and the error that says so is still there.
    return byCookie || token ? call(fields, flow) : wait()
  }

  if (link.get()) void call(undefined, link)

  const client: WfClient<{ form: unknown }> = {
    get state() {
      return get()
    },
    subscribe,
    start: input => {
      if (link.get()) return wait()
      return flow.get() && input === undefined ? call({}, flow, startAnew) : startAnew(input)
    },
    restart: input => {
      flow.set()
      link.set()
      set({ loading: true }, NOTHING)
      return startAnew(input)
    },
    resume: () => {
      if (!link.get()) throw new TypeError('There is no link to send.')
      return call({}, link)
    },
    submit: (input = get().data) => answer({ input }),
    action: (action, input) => answer({ action, input }),
    retry,
    update: data => set({ data }),
  }
  // What comes over the wire is what the workflow sends: the types are the caller's word for that.
  return client as unknown as WfClient<W>
}
