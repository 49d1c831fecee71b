import { attempt, listOf, recordOf, textOf } from '../form-view'
import type { WfCall } from './sender'

/** A call that may have been answered, although nobody knows how. */
type OpenCall = Omit<WfCall<never>, 'settle'>

/** Such calls as they were stored before a reload. What held a secret cannot be made again. */
export const readOpen = (stored: string | undefined): OpenCall[] =>
  (listOf(attempt(() => JSON.parse(stored!))) as OpenCall[]).filter(call =>
    textOf(recordOf(call).text),
  )

/** Such calls, to be stored. */
export const writeOpen = (calls: readonly OpenCall[]): string | undefined =>
  calls.length
    ? JSON.stringify(
        calls.map(({ url, text, token, id, isSecret, pressed }) =>
          isSecret ? {} : { url, text, token, id, pressed },
        ),
      )
    : undefined
