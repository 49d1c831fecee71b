import { findWatch, watchUntil } from '../state'
import { isMarked } from './browser-mark'
import { type CodeNote, findCode, tryCode } from './code-note'
import { Rejection, rejectionOf } from './rejection'
import { readToken } from './request-token'
import type { RunConfig } from './run-config'
import type { RunSubject } from './run-outcome'
import type { EnteredCode, RunRequest } from './run-request'
import { type Answered, type AnswerKeeper, runOnce } from './safe-retry'
import { readWatchToken, type WatchToken } from './watch-token'

/** How a code that was entered is gone on with. */
export interface CodePlace<T, R extends Answered<T>> {
  /** Goes on as with the link itself. */
  run(request: RunRequest): Promise<R>
  /** The answer to a wrong code, which is kept as others are: to send it again costs no second try. */
  refuse(rejection: Rejection): T | Promise<T>
}

/**
 * Goes on with a flow by a code that came beside its link, where the flow was started: on the page that
 * watches it, in that browser. From there on it is as if the link had been opened.
 *
 * @throws Rejection, the same for whatever is not watched here and in this browser by a code
 */
export async function enterCode<T, R extends Answered<T>>(
  config: RunConfig,
  request: RunRequest,
  entered: EnteredCode,
  keeper: AnswerKeeper<T>,
  { run, refuse }: CodePlace<T, R>,
): Promise<R | Answered<T>> {
  const sent = await findSentCode(config, entered, request.browser)
  return runOnce(config, request, keeper, async (): Promise<R | Answered<T>> => {
    const { token, triesLeft } = await tryCode(
      sent.ledger,
      sent.watch,
      sent.note,
      entered.code,
      sent.until,
    )
    if (token !== undefined) {
      const { entered: _entered, ...others } = request
      return run({ ...others, token: readToken(config.registry, token) })
    }
    if (triesLeft < 0) throw tooManyCodes()
    const wrong = new Rejection('WF_CODE_WRONG', { triesLeft })
    // By its flow, of which so many answers are kept and no more: what is no code costs no try.
    return { wfid: sent.wfid, flowId: sent.flowId, answer: await refuse(wrong) }
  })
}

interface SentCode extends Pick<RunSubject, 'wfid' | 'flowId'> {
  readonly ledger: NonNullable<RunConfig['ledger']>
  readonly watch: WatchToken
  readonly note: CodeNote
  readonly until: number
}

/** Whoever is not the one who has started the flow is told the same in every case, and as fast. */
async function findSentCode(
  { ledger, registry, allows, clock, tombstoneTtl }: RunConfig,
  entered: EnteredCode,
  browser: string | undefined,
): Promise<SentCode> {
  const watch = readWatchToken(entered.watch)
  if (!ledger || !watch) throw rejectionOf({ reason: 'garbled' })
  const [pause, note] = await Promise.all([
    findWatch(ledger, watch.hash),
    findCode(ledger, watch.hash),
  ])
  const isHere = pause && allows(pause.wfid) && registry.has(pause.strategy)
  if (!isHere || !note || !isMarked(browser, note.browser)) {
    throw rejectionOf({ reason: 'garbled' })
  }
  const until = watchUntil(pause.expiresAt, clock.now(), tombstoneTtl)
  return { ledger, watch, note, wfid: pause.wfid, flowId: pause.flowId, until }
}

function tooManyCodes(): Rejection {
  const message = 'Too many wrong codes. Please use the link in the message, or start again.'
  return new Rejection('WF_TOO_MANY', { message })
}
