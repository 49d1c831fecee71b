import { setControllerContext, type TMoostAdapterOptions, type TObject } from 'moost'
import { Rejection } from '../run'
import type { WfHandlerMeta } from './wf-metadata'

/**
 * Asks the interceptors that stand before a handler, without the handler: whether it may run, here and
 * for whoever has asked.
 *
 * @throws what they refuse it with; Rejection if one of them answers in the handler's place
 */
export function guardOf<C extends TObject>(
  opts: TMoostAdapterOptions<WfHandlerMeta, C>,
  targetPath: string,
): () => Promise<void> {
  return async () => {
    const instance = await opts.getInstance()
    setControllerContext(instance, opts.method, targetPath, { prefix: opts.prefix })
    const reply: unknown = await opts.getIterceptorHandler()?.before()
    if (reply === undefined) return
    // An interceptor denies by returning an error, too.
    throw reply instanceof Error
      ? reply
      : new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  }
}
