import { networkOf, useClientAddress } from '@atscript/moost-wf/http'
import type { Asker } from '../accounts/fair-order'
import { isForwarded } from './forwarded'

/** What steps may know of a request, also when it is over. */
export interface RequestFacts {
  readonly network: string
}

/** Who sends the requests, as far as it can be believed. */
export class Callers {
  #hasWarned = false

  /** @param proxies how many of ours stand in front and say where a request came from */
  constructor(private readonly proxies: number) {}

  /** What is counted of the address that this request came from. */
  network(): string {
    if (this.proxies === 0 && isForwarded()) this.#warn()
    return networkOf(useClientAddress({ proxies: this.proxies }))
  }

  facts(): RequestFacts & Record<string, string> {
    return { network: this.network() }
  }

  /** The sender of this request, which is about an account. */
  about(account: string): Asker {
    return { address: this.network(), account }
  }

  #warn(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    console.warn(
      'A proxy passes requests on, and TRUST_PROXY is not set: all clients look like one and share ' +
        'its limits. Set TRUST_PROXY to the number of proxies in front.',
    )
  }
}
