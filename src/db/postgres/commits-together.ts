import type { CarryOutCommit } from '../commit/carry-out-commit'
import { CommitGroups } from './commit-groups'
import { commitInOneStatement } from './commit-in-one-statement'

interface Navigating {
  readonly navigator?: { readonly userAgent?: string }
}

/** Workers say so themselves; pg asks them in the same way. */
const isWorker = () => (globalThis as Navigating).navigator?.userAgent === 'Cloudflare-Workers'

/**
 * Carries out commits that come at the same time together. Not on Workers: what a request has begun there
 * ends with it, so nobody can leave a commit to another request.
 */
export function commitsTogether(): CarryOutCommit {
  return isWorker() ? commitInOneStatement : new CommitGroups(commitInOneStatement).carryOut
}
