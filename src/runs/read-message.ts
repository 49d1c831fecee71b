import type { RunKeeper } from '../worker'

/** What a message says. Its link and its code are not in it. */
export interface WfRunMessageContent {
  readonly messageId: string
  readonly outlet: string
  readonly recipient?: string | undefined
  /** What the outlet was given, as the step has written it. */
  readonly request: Readonly<Record<string, unknown>>
  /** Whether a code went with it that can be typed in place of the link. */
  readonly hasCode: boolean
}

/** @see WfRuns.readMessage */
export async function readMessage(
  { strategy }: RunKeeper,
  flowId: string,
  messageId: string,
): Promise<WfRunMessageContent | null> {
  const found = await strategy.messages?.read(flowId, messageId)
  if (!found) return null
  const { outlet, recipient } = found.message
  const { request, code } = found.content
  return { messageId, outlet, recipient, request, hasCode: code !== undefined }
}
