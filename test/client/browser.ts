import { onTestFinished, vi } from 'vitest'
import type { WfFetch, WfTokenStorage } from '@atscript/moost-wf/client'

/** A storage as browsers have it: texts only, `null` for what is missing. */
export class TabStorage implements WfTokenStorage {
  readonly items = new Map<string, string>()

  getItem(key: string): string | null {
    return this.items.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.items.set(key, String(value))
  }

  removeItem(key: string): void {
    this.items.delete(key)
  }
}

/** A tab of a browser: an address, its history and its storage, which outlive a reload. */
export class Tab {
  readonly sessionStorage = new TabStorage()
  readonly location: { href: string }
  readonly history = {
    state: null as unknown,
    replaceState: (state: unknown, _unused: string, url: string) => {
      this.history.state = state
      this.location.href = new URL(url, this.location.href).href
    },
  }

  constructor(address: string) {
    this.location = { href: new URL(address, 'https://shop.example/').href }
  }

  get address(): string {
    return this.location.href.slice('https://shop.example'.length)
  }

  /** The tokens that are stored. */
  get tokens(): string[] {
    return [...this.sessionStorage.items.values()]
  }
}

/** Opens a tab for the rest of the test. */
export function openTab(address = '/'): Tab {
  const tab = new Tab(address)
  showTab(tab)
  return tab
}

export function showTab({ location, history, sessionStorage }: Tab): void {
  vi.stubGlobal('location', location)
  vi.stubGlobal('history', history)
  vi.stubGlobal('sessionStorage', sessionStorage)
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Another tab with what the first one has stored. */
export function duplicate(tab: Tab): Tab {
  const copy = new Tab(tab.address)
  for (const [key, value] of tab.sessionStorage.items) copy.sessionStorage.setItem(key, value)
  return copy
}

export interface Sent {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
}

/** The real `fetch`, and what went through it. */
export function watchedFetch() {
  const sent: Sent[] = []
  const fetch: WfFetch = (url, init) => {
    sent.push({ method: init.method, url, body: init.body })
    return globalThis.fetch(url, init)
  }
  return { fetch, sent, bodies: () => sent.map(({ body }) => JSON.parse(body ?? 'null')) }
}

/** A network that loses answers, or requests, as it is told. */
export function unsureNetwork() {
  const { fetch, sent, bodies } = watchedFetch()
  const network = {
    loses: undefined as 'answer' | 'request' | undefined,
    sent,
    bodies,
    ids: () => bodies().map(body => body.requestId as string),
    fetch: (async (url, init) => {
      if (network.loses === 'request') {
        sent.push({ method: init.method, url, body: init.body })
        throw new TypeError('network error')
      }
      const response = await fetch(url, init)
      if (network.loses) throw new TypeError('network error')
      return response
    }) satisfies WfFetch,
  }
  return network
}

/** Answers every request with the same status and text. */
export function answering(text: string, status = 200): WfFetch {
  return async () => new Response(text, { status })
}

/** A promise that a test keeps when it wants to. */
export function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
