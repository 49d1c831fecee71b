import {
  useAuthorization,
  useCookies,
  useHeaders,
  useRequest,
  useUrlParams,
} from '@wooksjs/event-http'
import { useBody } from '@wooksjs/http-body'
import { Resolve } from 'moost'

type Injected = ParameterDecorator & PropertyDecorator

/** The parsed body: JSON, form-encoded or multipart by its content type, else the text. */
export const Body = (): Injected => Resolve(() => useBody().parseBody(), 'body')

/** The body as bytes. */
export const RawBody = (): Injected => Resolve(() => useRequest().rawBody(), 'body')

/** One query parameter, or all of them as an object. */
export const Query = (name?: string): Injected =>
  Resolve(() => {
    const { params, toJson } = useUrlParams()
    return name === undefined ? toJson() : (params().get(name) ?? undefined)
  }, name ?? 'query')

/** A request header. */
export const Header = (name: string): Injected =>
  Resolve(() => useHeaders()[name.toLowerCase()], name)

/** A request cookie; `undefined` when it was not sent. */
export const Cookie = (name: string): Injected =>
  Resolve(() => useCookies().getCookie(name) ?? undefined, name)

/** A part of the `Authorization` header. */
export const Authorization = (
  part: 'username' | 'password' | 'bearer' | 'raw' | 'type',
): Injected =>
  Resolve(() => {
    const { is, type, credentials, basicCredentials } = useAuthorization()
    switch (part) {
      case 'username':
      case 'password':
        return basicCredentials()?.[part]
      case 'bearer':
        return is('bearer') ? (credentials() ?? undefined) : undefined
      case 'raw':
        return credentials() ?? undefined
      case 'type':
        return type() ?? undefined
    }
  }, 'authorization')

/** The URL as it was requested, with its query. */
export const Url = (): Injected => Resolve(() => useRequest().url ?? '', 'url')

/** The HTTP method. */
export const Method = (): Injected => Resolve(() => useRequest().method, 'method')

/** Node's request object. */
export const Req = (): Injected => Resolve(() => useRequest().raw, 'request')

/** An id of this request, made by the server. */
export const ReqId = (): Injected => Resolve(() => useRequest().reqId(), 'reqId')

/** The client's address; a proxy's word is taken only when asked to. */
export const Ip = (options?: { trustProxy: boolean }): Injected =>
  Resolve(() => useRequest().getIp(options), 'ip')
