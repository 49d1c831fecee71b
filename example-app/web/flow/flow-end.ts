import type { WfMessage, WfNext, WfResponse } from '@atscript/moost-wf/client'

/** What a workflow says at its end, whichever form it says it in. */
export function messageOf({ message, aborted }: WfResponse): WfMessage | undefined {
  if (typeof message !== 'string') return message
  return { level: aborted ? 'warn' : 'success', text: message }
}

/** How it goes on behind the end of a workflow. A bare path is where to go at once. */
export function nextOf({ next }: WfResponse): WfNext | undefined {
  if (typeof next !== 'string') return next
  return { trigger: 'immediate', action: { type: 'redirect', target: next } }
}
