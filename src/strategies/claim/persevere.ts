import { sleep } from '../../state'

const DELAYS_MS = [20, 100, 500]

/**
 * Asks a store again that stumbles. While a state is out of the store this process has the only
 * copy of it, so writing it back is worth a second try; so is removing one that must not live on.
 */
export async function persevere<R>(operation: () => Promise<R>): Promise<R> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await operation()
    } catch {
      await sleep(delayMs)
    }
  }
  return operation()
}
