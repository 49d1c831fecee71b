import { AdminRefusal } from './admin-refusal'

/**
 * Only `true` lets a request in: a guard that forgets to answer, or finds no session to ask, denies.
 *
 * @throws AdminRefusal 403; what the guard throws
 */
export async function checkGuard(guard: () => unknown): Promise<void> {
  const verdict = await guard()
  if (verdict === true) return
  // As an interceptor of Moost denies.
  if (verdict instanceof Error) throw verdict
  throw new AdminRefusal(403, 'WF_NOT_ALLOWED', 'You are not allowed to do this.')
}
