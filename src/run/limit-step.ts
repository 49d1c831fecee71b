import { WfError } from '../errors'
import { findRunScope } from './run-scope'

/**
 * Lets a step fail that takes too long, and fires its signal. What it still does comes to nothing: its run
 * goes on from what was saved.
 */
export function limitStep(handle: () => unknown, ms: number): () => Promise<unknown> {
  return async () => {
    const scope = findRunScope()
    const stopping = new AbortController()
    const signals = [scope?.step?.signal?.(), stopping.signal].filter(
      signal => signal !== undefined,
    )
    if (scope) scope.stepSignal = AbortSignal.any(signals)
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new WfError('WF_TIMEOUT', `This step has taken longer than ${ms} ms.`)
        stopping.abort(error)
        reject(error)
      }, ms)
    })
    try {
      return await Promise.race([handle(), timeOut])
    } finally {
      clearTimeout(timer)
    }
  }
}
