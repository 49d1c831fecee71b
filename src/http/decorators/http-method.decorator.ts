import { getMoostMate } from 'moost'
import { handlerDecorator } from '../../controllers'

/** What a route decorator adds to Moost's handler metadata. */
export interface HttpHandlerMeta {
  method: string
  path?: string | undefined
}

/** The kind of handler that the HTTP adapter binds. */
export const HTTP = 'HTTP'

/**
 * Makes a controller's method the handler of an HTTP route. `path` is the method's name when it is
 * left out. `@Get`, `@Post` and their like are this with the method filled in.
 *
 * @example
 * ```ts
 * import { Body, Get, HttpMethod, Post, Query } from '@atscript/moost-wf/http'
 * import { Controller } from 'moost'
 *
 * @Controller('notes')
 * export class Notes {
 *   @Get()
 *   list(@Query('page') page?: string) {
 *     return { page }
 *   }
 *
 *   @Post()
 *   @HttpMethod('PUT', 'save')
 *   save(@Body() note: unknown) {
 *     return { note }
 *   }
 * }
 * ```
 */
export function HttpMethod(method: string, path?: string): MethodDecorator {
  const mate = getMoostMate<HttpHandlerMeta, HttpHandlerMeta>()
  return handlerDecorator(mate.decorate('handlers', { type: HTTP, method, path } as never, true))
}

/** A route for any method. */
export const All = (path?: string): MethodDecorator => HttpMethod('*', path)
/** A route for GET. */
export const Get = (path?: string): MethodDecorator => HttpMethod('GET', path)
/** A route for HEAD. */
export const Head = (path?: string): MethodDecorator => HttpMethod('HEAD', path)
/** A route for POST. */
export const Post = (path?: string): MethodDecorator => HttpMethod('POST', path)
/** A route for PUT. */
export const Put = (path?: string): MethodDecorator => HttpMethod('PUT', path)
/** A route for PATCH. */
export const Patch = (path?: string): MethodDecorator => HttpMethod('PATCH', path)
/** A route for DELETE. */
export const Delete = (path?: string): MethodDecorator => HttpMethod('DELETE', path)
