import { getMoostMate } from 'moost'

/** What a route decorator adds to Moost's handler metadata. */
export interface HttpHandlerMeta {
  method: string
  path?: string
}

/** The kind of handler that the HTTP adapter binds. */
export const HTTP = 'HTTP'

/**
 * Makes a controller's method the handler of an HTTP route. `path` is the method's name when it is
 * left out. `@Get`, `@Post` and their like are this with the method filled in.
 */
export function HttpMethod(method: string, path?: string): MethodDecorator {
  return getMoostMate<HttpHandlerMeta, HttpHandlerMeta>().decorate(
    'handlers',
    { type: HTTP, method, path } as never,
    true,
  )
}

export const All = (path?: string): MethodDecorator => HttpMethod('*', path)
export const Get = (path?: string): MethodDecorator => HttpMethod('GET', path)
export const Head = (path?: string): MethodDecorator => HttpMethod('HEAD', path)
export const Post = (path?: string): MethodDecorator => HttpMethod('POST', path)
export const Put = (path?: string): MethodDecorator => HttpMethod('PUT', path)
export const Patch = (path?: string): MethodDecorator => HttpMethod('PATCH', path)
export const Delete = (path?: string): MethodDecorator => HttpMethod('DELETE', path)
