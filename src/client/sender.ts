import { attempt } from '../form-view'
import { exchange, type WfFetch, type WfReply } from './exchange'
import { isGone, isLost } from './read-answer'
import { newRequestId } from './request-id'
import type { WfClientError } from './wire'

declare const addEventListener: (type: string, listener: () => void, once: object) => void

/** A request, and what to do with the reply. */
export interface WfCall<S> {
  readonly url: string
  /** What is sent, as JSON; without it the call is a GET. */
  readonly text?: string | undefined
  /** The token in it. */
  readonly token?: string | undefined
  /** Its name for the server. It stays the same until it is known what has become of the call. */
  readonly id?: string | undefined
  /** What it sends must not be stored. */
  readonly isSecret?: boolean | undefined
  /** The button that was pressed. */
  readonly pressed?: string | true | undefined
  /** Changes the state. Not called once the call is superseded. */
  settle(reply: WfReply): S | Promise<S>
}

/** Makes one call at a time. */
export interface Sender<S> {
  /** Aborts the call before, unless it is the same. */
  send(call: WfCall<S>): Promise<S>
  /** Makes the call again that has failed. */
  retry(): Promise<S>
  /** Waits for the call that is being made. */
  wait(): Promise<S>
}

interface Progress {
  readonly loading: boolean
  readonly error?: WfClientError
}

/**
 * @param open calls that a server may have answered, although nobody knows how
 * @param keep told of each change of them
 */
export const createSender = <S extends Progress>(
  fetch: WfFetch,
  timeoutMs: number,
  get: () => S,
  set: (change: object) => S,
  open: readonly WfCall<S>[],
  keep: (open: readonly WfCall<S>[]) => void,
): Sender<S> => {
  let last: WfCall<S>
  let running: Promise<S> | undefined
  let controller: AbortController

  const setOpen = (calls: readonly WfCall<S>[]) => {
    open = calls
    keep(calls)
  }

  const send = (asked: WfCall<S>): Promise<S> => {
    const { url, text } = asked
    const isSame = (other: WfCall<S>) => other.url === url && other.text === text
    if (running) {
      if (isSame(last)) return running
      controller.abort()
    }
    const aborter = (controller = new AbortController())
    const id = asked.id ?? open.find(isSame)?.id ?? newRequestId()
    const call = (last = { ...asked, id })
    const others = open.filter(other => !isSame(other))
    if (text) setOpen([...others, call])
    const timer = setTimeout(() => aborter.abort(), timeoutMs)
    const body = text && JSON.stringify({ ...JSON.parse(text), requestId: id })
    const mine: Promise<S> = exchange(fetch, url, body, aborter.signal).then(reply => {
      clearTimeout(timer)
      if (running !== mine) return get()
      running = undefined
      if (isLost(reply)) {
        const isWanted = () => !running && last === call && open.includes(call)
        if (text) whenOnline(() => void (isWanted() && send(call)))
      } else {
        // What has used the token up may be a call whose answer was lost: it is answered again.
        const earlier = isGone(reply) && others.find(({ token }) => token && token === call.token)
        if (earlier || text) setOpen(earlier ? others : [])
        // It is still the button that was pressed now which waits.
        if (earlier) return send({ ...earlier, pressed: call.pressed ?? earlier.pressed })
      }
      return call.settle(reply)
    })
    running = mine
    set({
      loading: true,
      error: undefined,
      alreadyReceived: undefined,
      freshAsked: undefined,
      codeAsked: undefined,
      pressed: call.pressed,
    })
    return mine
  }

  const wait = async () => running ?? get()

  return { send, wait, retry: () => (get().error ? send(last) : wait()) }
}

const whenOnline = (listener: () => void) =>
  // There is no such thing on a server.
  attempt(() => addEventListener('online', listener, { once: true }))
