import { type TCookieAttributes, useRequest, useResponse } from '@wooksjs/event-http'
import {
  defineAfterInterceptor,
  defineBeforeInterceptor,
  Intercept,
  Resolve,
  TInterceptorPriority,
} from 'moost'

type Decorator = ClassDecorator & MethodDecorator

/** Node's response object. With `passthrough` the framework still sends the response. */
export const Res = (options?: { passthrough: boolean }): ParameterDecorator & PropertyDecorator =>
  Resolve(() => useResponse().getRawRes(options?.passthrough), 'response')

/** The status of a successful answer, unless the handler sets one. */
export const SetStatus = (status: number): Decorator =>
  after(() => {
    const response = useResponse()
    if (!response.status) response.setStatus(status)
  })

/** A header of a successful answer, unless the handler sets it. */
export const SetHeader = (name: string, value: string): Decorator =>
  after(() => {
    const response = useResponse()
    if (response.getHeader(name) === undefined) response.setHeader(name, value)
  })

/** A cookie of a successful answer, unless the handler sets it. */
export const SetCookie = (
  name: string,
  value: string,
  attributes?: Partial<TCookieAttributes>,
): Decorator =>
  after(() => {
    const response = useResponse()
    if (!response.getCookie(name)) response.setCookie(name, value, attributes)
  })

/**
 * The largest body that is read, in bytes after decompression; a larger one is answered with 413.
 * Wooks' own limit is 10 MB.
 */
export const BodySizeLimit = (bytes: number): Decorator =>
  Intercept(
    defineBeforeInterceptor(
      () => useRequest().setMaxInflated(bytes),
      TInterceptorPriority.BEFORE_ALL,
    ),
  ) as Decorator

function after(act: () => void): Decorator {
  return Intercept(defineAfterInterceptor(act)) as Decorator
}
