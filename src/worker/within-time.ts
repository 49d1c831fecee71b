import { WfError } from '../errors'

/**
 * Waits for some work, which goes on behind its time and is not waited for any more.
 *
 * @throws WfError `WF_TIMEOUT`; what the work throws
 */
export async function withinTime<R>(work: Promise<R>, ms: number): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOver = new Promise<never>((_, reject) => {
    const late = new WfError('WF_TIMEOUT', `This has taken longer than ${ms} ms.`)
    timer = setTimeout(() => reject(late), ms)
  })
  try {
    return await Promise.race([work, isOver])
  } finally {
    clearTimeout(timer)
    // Nobody may be there to hear it any more.
    work.catch(() => {})
  }
}
