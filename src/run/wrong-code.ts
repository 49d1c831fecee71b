import { Rejection } from './rejection'
import type { RunSubject } from './run-outcome'
import type { Answered } from './safe-retry'

/** A code beside a link that was not right. */
export class WrongCode extends Rejection<'WF_CODE_WRONG'> {
  constructor(
    readonly subject: RunSubject,
    triesLeft: number | undefined,
  ) {
    super('WF_CODE_WRONG', { reason: 'code-needed', triesLeft })
  }
}

/** Runs, and makes an answer of a wrong code, which is kept as others are: to send it again costs no second try. */
export async function orWrongCode<T, R extends Answered<T>>(
  run: () => Promise<R>,
  refuse: (rejection: Rejection) => T | Promise<T>,
): Promise<R | Answered<T>> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof WrongCode)) throw error
    return { ...error.subject, answer: await refuse(error) }
  }
}
