import { outletEach, swapStrategy, type useWfAnswers } from '@atscript/moost-wf'
import type { WfEachOptions } from '@atscript/moost-wf/outlets'
import { DecisionForm } from '../../schemas/ExpenseForms.as'
import { APPROVAL_LIMIT, asText, type Expense, openParts, type Part, votesOf } from './expense'

type Answers = ReturnType<typeof useWfAnswers>

/** Asks all of whom nothing is known yet. */
export function beginRound(ctx: Expense, deadline: WfEachOptions['deadline']) {
  // Expenses of before are on handles, which ask one person at a time.
  swapStrategy('durable')
  const people = openParts(ctx)
  return ask(ctx, people, people, ctx.needed - votesOf(ctx, 'approve').length, deadline)
}

/** Goes on asking those who are asked. */
export function stayInRound(ctx: Expense, { all, missing, needed }: Answers) {
  const inOrder = (ids: readonly { id: string }[]) =>
    ctx.parts.filter(part => ids.some(({ id }) => id === part.id))
  return ask(ctx, inOrder([...all, ...missing]), inOrder(missing), needed, undefined)
}

/** A part may have been given to somebody else by an admin. */
export function noteHolders(ctx: Expense, { all, missing }: Answers): void {
  const holders = new Map([...all, ...missing].map(({ id, to }) => [id, to]))
  ctx.parts = ctx.parts.map(({ id, to }) => ({ id, to: holders.get(id) ?? to }))
}

function ask(
  ctx: Expense,
  people: readonly Part[],
  missing: readonly Part[],
  needed: number,
  deadline: WfEachOptions['deadline'],
) {
  const { applicant, amount, currency, reason, history } = ctx
  ctx.asking = asText(missing.map(({ to }) => to))
  const last = history.at(-1)
  const answer = last?.what === 'answer' ? last.comment : undefined
  const isLate = last?.what === 'late'
  // A link can be forwarded. Where much is at stake it is not enough.
  const mustSignIn = amount > APPROVAL_LIMIT
  const context = { applicant, amount, currency, reason, answer, isLate, mustSignIn }
  return outletEach(
    people.map(({ id, to }) => ({ id, to, requireUser: mustSignIn || undefined })),
    {
      form: DecisionForm,
      template: 'approval',
      context,
      usedNote: true,
      quorum: ctx.needed === 1 ? 'first' : needed,
      runsEach: true,
      except: [applicant],
      deadline,
    },
  )
}
