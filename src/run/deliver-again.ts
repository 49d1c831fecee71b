import { WfError } from '../errors'
import type { WfPause } from '../state'
import { findCode, putCode, replaceCode } from './code-note'
import { codeSpellings, newCode } from './link-code'
import { redactTokens } from './redact-tokens'
import type { RunConfig } from './run-config'

/** What goes out again. */
interface Again {
  readonly token: string
  /** Until when its code is kept. */
  readonly until: number
  readonly reminder?: number | undefined
}

/**
 * Sends what was sent before, to the address that the pause has, with a code if there was one.
 *
 * @throws what the outlet throws, without the token
 */
export async function deliverAgain(
  { outlets, ledger }: Pick<RunConfig, 'outlets' | 'ledger'>,
  { recipient, watch }: WfPause,
  { token, until, reminder }: Again,
): Promise<void> {
  const outlet = outlets.get(recipient!.outlet)
  if (!outlet) throw new WfError('WF_CONFIG', `There is no outlet "${recipient!.outlet}".`)
  const former = ledger && watch !== undefined ? await findCode(ledger, watch) : undefined
  const code = former && newCode()
  if (ledger && former) await replaceCode(ledger, watch!, former, { code: code!, token }, until)
  const request = reminder === undefined ? { ...recipient! } : { ...recipient!, reminder }
  try {
    await outlet.deliver(request, token, code ? { code } : {})
  } catch (error) {
    // The former link lives again, and so does its code.
    if (ledger && former) await putCode(ledger, watch!, former, until)
    throw redactTokens(error, [token, ...codeSpellings(code)])
  }
}
