import { useWfState } from '@atscript/moost-wf'
import { Before, Interceptor, TInterceptorPriority } from 'moost'
import { Deciders } from './deciders'
import type { Expense } from './expense'

/** Lets those pass who may decide, before they are shown anything of the expense. */
@Interceptor(TInterceptorPriority.GUARD)
export class DecidersOnly {
  constructor(private readonly deciders: Deciders) {}

  @Before()
  async check() {
    const expense = useWfState().ctx<Expense>()
    // Until the link is out it is the applicant's request that brings the flow here.
    if (expense.mailed === 'decision') await this.deciders.decider(expense)
  }
}
