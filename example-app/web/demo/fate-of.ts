import type { WfAdminRun, WfAdminRunView } from '@atscript/moost-wf/admin'

/** What to say of a run that was in flight when the server was killed. */
export function fateOf(before: WfAdminRun, now: WfAdminRunView | undefined, killedAt: number) {
  if (!now) return 'asking…'
  const isRecovered = now.history.some(({ type, at }) => type === 'recovered' && at >= killedAt)
  if (isRecovered) return 'was taken up again'
  if (now.version !== before.version) return 'has gone on'
  return before.isHeld ? 'is taken up again when its lease ends' : 'waits, as before'
}
