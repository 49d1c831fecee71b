import { useLogger } from '@wooksjs/event-core'
import { notesOf, type WfState } from '../state'
import { redactTokens } from './redact-tokens'
import type { RequestToken } from './request-token'

/**
 * Counts that somebody has opened a link that went to them, behind the answer: nobody waits for that, and
 * nothing fails by it.
 */
export function noteOpened({ issued }: RequestToken, state: WfState): void {
  const { strategy, raw } = issued ?? {}
  if (!strategy?.noteOpened || raw === undefined || !notesOf(state)?.pause?.outOfBand) return
  const logger = useLogger()
  strategy.noteOpened(raw).catch((error: unknown) => {
    logger.warn('That a link was opened could not be counted', redactTokens(error, [raw]))
  })
}
