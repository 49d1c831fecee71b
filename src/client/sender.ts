import { exchange, type WfFetch, type WfReply, type WfRequest } from './exchange'
import type { WfClientError } from './wire'

/** A request, and what to do with the reply. */
export interface WfCall<S> extends WfRequest {
  /** Equal for calls that ask for the same. */
  readonly key: string
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

export const createSender = <S extends Progress>(
  fetch: WfFetch,
  get: () => S,
  set: (change: Partial<S>) => S,
): Sender<S> => {
  let last: WfCall<S>
  let running: Promise<S> | undefined
  let controller: AbortController

  const send = (call: WfCall<S>): Promise<S> => {
    if (running) {
      if (last.key === call.key) return running
      controller.abort()
    }
    controller = new AbortController()
    last = call
    const mine: Promise<S> = exchange(fetch, call, controller.signal).then(reply => {
      if (running !== mine) return get()
      running = undefined
      return call.settle(reply)
    })
    running = mine
    set({ loading: true, error: undefined } as Partial<S>)
    return mine
  }

  const wait = async () => running ?? get()

  return { send, wait, retry: () => (get().error ? send(last) : wait()) }
}
