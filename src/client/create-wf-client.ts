import { attempt, recordOf, textOf } from '../form-view'
import { tabStorage, takeLinkToken } from './browser'
import { assertOptions, type WfClientOptions } from './client-options'
import type { WfClient, WfClientState, WfClientTypes } from './client-types'
import type { WfReply } from './exchange'
import { keepText, type KeptText } from './kept-text'
import { readOpen, writeOpen } from './open-calls'
import { goesOnWithout, isGone, readError, readPause } from './read-answer'
import { createSender } from './sender'
import { createSnapshots } from './snapshots'
import { createTypedText } from './typed-text'
import type { WfClientError, WfPendingResume, WfResponse } from './wire'

type State = WfClientState<{ form: unknown }>

/** What is sent beside the token. */
interface Fields {
  readonly [name: string]: unknown
  readonly input?: State['data'] | undefined
  readonly action?: string | undefined
}

const NOTHING: State = { data: {}, errors: {}, context: {}, loading: false, finished: false }

/**
 * A workflow in the browser: starts it, shows what it asks for, sends what was typed, and keeps the
 * token in this tab, so that a reload goes on.
 *
 * A token in the address of the page (`?wfs=`, `#wfs=`) is taken out of it and only looked at. It is used when
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
    timeoutMs = 30_000,
    storage = tabStorage(),
    remember = () => ({}),
    keepSent,
  } = { ...options }
  const byCookie = tokenTransport === 'cookie'
  assertOptions<Omit<WfClientOptions, 'keepSent'>>({
    path: textOf(path),
    name: textOf(name),
    tokenTransport: ['body', 'query', 'cookie'].includes(tokenTransport),
    tokenName: textOf(tokenName),
    wfidName: textOf(wfidName),
    // A cookie that scripts cannot see is not theirs to write.
    initialToken: initialToken === undefined || (textOf(initialToken) && !byCookie),
    fetch: typeof fetch === 'function',
    // What is longer, timers take for no time at all.
    timeoutMs: timeoutMs > 0 && timeoutMs < 2 ** 31,
    storage: !storage || storage.setItem,
    remember: typeof remember === 'function',
  })
  const { get, set, subscribe } = createSnapshots(NOTHING)
  const keep = (what: string, where = storage) => keepText(where, `moost-wf${what}:${path}:${name}`)
  const flow = keep('', byCookie ? null : storage)
  const link = keep('-link')
  const sent = keep('-sent')
  const given = keep('-given')
  const watched = keep('-watched', keepSent ? storage : null)
  const typed = createTypedText(keep('-typed'), remember)
  /** The last token that was gone, and what was said about it. */
  let dead: (WfClientError & { readonly token: string }) | undefined
  /** A code, and the link that is worthless without it. In memory alone. */
  let proof: { readonly token?: string | undefined; readonly code: string } | undefined

  const linkToken = takeLinkToken(tokenName)
  if (linkToken) link.set(linkToken)
  // A reload brings the same initial token again. This tab may be further by then.
  if (initialToken && (initialToken !== given.get() || !(flow.get() || watched.get()))) {
    given.set(initialToken)
    flow.set(initialToken)
  }

  /**
   * @param kept where the token is kept, until it is gone
   * @param whenGone what to do then, instead of saying so
   */
  const settle =
    (isLook: boolean, token?: string, kept?: KeptText, whenGone?: () => Promise<State>) =>
    (reply: WfReply): State | Promise<State> => {
      const { [tokenName]: nextToken, ...response } = reply.body
      const { inputRequired, finished, retrying, joined, canChange, accepted, wfid, expiresAt } =
        response
      const isElsewhere = goesOnWithout(reply)
      const next = textOf(nextToken)
      const alreadyReceived = reply.isRepeated || undefined
      const isPause = !isLook && inputRequired && (next || byCookie)
      if (isPause || finished || isElsewhere) {
        link.set()
        dead = undefined
        if (finished) given.set()
        if (!isPause) proof = undefined
        // What the tab has is still of use, where nothing has come of the request.
        if (!byCookie && !retrying && !joined && !canChange) flow.set(isPause ? next : undefined)
        watched.set(isElsewhere && response.watch ? JSON.stringify(response) : undefined)
        const shown = isPause
          ? readPause(inputRequired, get(), form => typed.read(token, form))
          : { form: undefined, response, finished: Boolean(finished) }
        typed.write(flow.get(), shown.form, typed.read(token, shown.form))
        return set({ ...shown, alreadyReceived }, NOTHING)
      }
      if (accepted) {
        return dead && token === dead.token
          ? set({ freshAsked: true, alreadyReceived }, NOTHING)
          : set({ codeAsked: true, loading: false, pressed: undefined })
      }
      const error = readError(reply)
      const isDead = isGone(reply)
      // An error may come with a token, which takes the place of the one that is used up.
      if (isDead || next) {
        kept?.set(next)
        if (kept === flow) typed.write(next, get().form, get().data)
      }
      if (isDead && token) dead = { ...error, token }
      if (isDead && whenGone) return whenGone()
      return set({
        loading: false,
        pressed: undefined,
        alreadyReceived,
        error: isDead || !isLook ? error : undefined,
        pendingResume: link.get()
          ? (get().pendingResume ?? ({ wfid, expiresAt } as WfPendingResume))
          : undefined,
      })
    }

  const { send, retry, wait } = createSender(
    fetch,
    timeoutMs,
    get,
    set,
    readOpen(sent.get()).map(open => ({
      ...open,
      settle: settle(false, open.token, link.get() ? link : flow),
    })),
    calls => sent.set(writeOpen(calls)),
  )

  // Without fields it is a look at a link, by GET. Fields without a token start a workflow.
  const call = (
    fields?: Fields,
    token?: string,
    kept?: KeptText,
    whenGone?: () => Promise<State>,
    pressed?: string | true,
  ) => {
    const input = fields?.input
    const code = proof && proof.token === token ? proof.code : undefined
    const inAddress = token && (!fields || tokenTransport === 'query')
    return send({
      url: inAddress
        ? `${path}${path.includes('?') ? '&' : '?'}${tokenName}=${encodeURIComponent(token)}`
        : path,
      text:
        fields && JSON.stringify({ [tokenName]: inAddress ? undefined : token, code, ...fields }),
      // Only what uses it up can have used it up.
      token: kept && token,
      pressed,
      isSecret:
        !!code ||
        JSON.stringify(input) !==
          JSON.stringify(input && attempt(() => remember(get().form, input))),
      settle: settle(!fields, token, kept, whenGone),
    })
  }

  const startAnew = (input?: State['data']) => call({ [wfidName]: name, input })

  const update = (data: State['data']) => {
    const { form } = set({ data })
    if (form) typed.write(flow.get(), form, data)
  }

  const answer = (fields: Fields) => {
    const token = flow.get()
    if (link.get() || !(token || get().form)) throw new TypeError('There is no form to send.')
    if (fields.input) update(fields.input)
    // Without a token it is gone, and the error that says so is still there.
    return byCookie || token ? call(fields, token, flow, undefined, fields.action ?? true) : wait()
  }

  const start = (input?: State['data']): Promise<State> => {
    if (link.get()) return wait()
    if (input !== undefined) return startAnew(input)
    const token = flow.find()
    if (token) {
      // Whoever has sent something and does not know what came of it is told, and so is the page
      // that has named the token itself.
      const isTold = sent.get() || token === initialToken
      return call({}, token, flow, isTold ? undefined : start)
    }
    const response = sentResponse()
    if (!keepSent || !response.watch) return startAnew()
    set({ response }, NOTHING)
    return wait()
  }

  const linkOrFlow = () => {
    const token = link.get() ?? flow.get()
    if (token || byCookie) return token
    throw new TypeError('There is no link to send.')
  }

  const sentResponse = (): WfResponse => recordOf(attempt(() => JSON.parse(watched.get()!)))

  if (link.get()) void call(undefined, link.get(), link)

  const client: WfClient<{ form: unknown }> = {
    get state() {
      return get()
    },
    subscribe,
    start,
    restart: input => {
      const token = input === undefined && dead?.restart?.carriesOver ? dead.token : undefined
      flow.set()
      link.set()
      watched.set()
      typed.write()
      set({ loading: true }, NOTHING)
      return token ? call({ restart: true }, token, undefined, startAnew) : startAnew(input)
    },
    resume: code => {
      if (!(code || link.get())) throw new TypeError('There is no link to send.')
      const token = linkOrFlow()
      if (code) proof = { token, code }
      return call({}, token, link.get() ? link : flow)
    },
    askCode: () => call({ sendCode: true }, linkOrFlow()),
    submit: (input = get().data) => answer({ input }),
    action: (action, input) => answer({ action, input }),
    retry,
    update,
    enterCode: code => {
      const watch = textOf(get().response?.watch)
      if (!watch) throw new TypeError('There is no code to send.')
      const text = JSON.stringify({ watch, code })
      return send({
        url: path,
        text,
        token: watch,
        pressed: true,
        isSecret: true,
        settle: settle(false),
      })
    },
    askFresh: () => {
      if (!dead?.fresh) throw new TypeError('There is no link to send anew.')
      return call({ fresh: true }, dead.token)
    },
    forget: watch => {
      if (sentResponse().watch === watch) watched.set()
    },
  }
  // What comes over the wire is what the workflow sends: the types are the caller's word for that.
  return client as unknown as WfClient<W>
}
