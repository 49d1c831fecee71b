import { HttpError, useHeaders, useRequest } from '@atscript/moost-wf/http'
import { Before, Interceptor, TInterceptorPriority } from 'moost'
import { PublicAddress } from '../mail/public-address'

/** Refuses what a page of another site makes a browser send, cookies included. Reading is free. */
@Interceptor(TInterceptorPriority.BEFORE_ALL)
export class OwnOriginOnly {
  constructor(private readonly address: PublicAddress) {}

  @Before()
  check() {
    const { method = '' } = useRequest()
    if (method === 'GET' || method === 'HEAD') return
    const { origin, host, 'sec-fetch-site': site } = useHeaders()
    const isOwn = origin === undefined || origin === this.address.origin || hostOf(origin) === host
    if (!isOwn || site === 'cross-site') {
      throw new HttpError(403, 'This was sent by a page of another site.')
    }
  }
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined
