import { sha256, type WfRefusal, type WfRunStore } from '../../state'
import type { Found } from './link-refusal'

const LONGEST_HANDLE = 1000

/** The link with this handle, and its run. What comes from a request may be anything. */
export async function findByHandle(runs: WfRunStore, handle: string): Promise<Found | WfRefusal> {
  if (typeof handle !== 'string' || handle === '' || handle.length > LONGEST_HANDLE) {
    return { refusal: 'garbled' }
  }
  return (await runs.findByLink(await sha256(handle))) ?? { refusal: 'gone' }
}
