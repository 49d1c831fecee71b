import type { WfDeadlineOptions } from '../state'
import type { WfOutletRequest } from './wf-outlet'

/** One of the people that a pause asks. */
export interface WfPerson {
  /** Their address. */
  readonly to: string
  /**
   * Names their part, which they can hand on.
   * @default their address
   */
  readonly id?: string | undefined
  /** @default the form of all */
  readonly form?: object | undefined
  readonly template?: string | undefined
  /** What the message needs to know. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
  /**
   * Who must be signed in to see the form, and to answer: what the `actor` of the endpoint says of them. `true`
   * is their address. A link that was forwarded is worthless then.
   * @default whoever has the link
   */
  readonly requireUser?: string | true | undefined
  /**
   * Whether the link alone is not enough: whoever opens it asks for a code, which is sent to this person by then,
   * and without which the form is neither shown nor answered. `true` sends it as the link was sent; say `outlet`
   * and `to` for another way. Needs a ledger.
   * @default false
   */
  readonly requireCode?: boolean | WfPersonCode | undefined
}

/** How a person gets a code. */
export interface WfPersonCode {
  /** The name of an outlet. @default that of the link */
  readonly outlet?: string | undefined
  /** Their address there. @default that of the link */
  readonly to?: string | undefined
  /** Which message to send. @default 'code' */
  readonly template?: string | undefined
}

/** How several people are asked, and when they have decided. */
export interface WfEachOptions extends Pick<
  WfOutletRequest,
  'form' | 'template' | 'context' | 'showContext' | 'usedNote' | 'watch' | 'fresh'
> {
  /** How many must agree. `all` of them, or whichever answers `first`, whatever that is. */
  readonly quorum: number | 'all' | 'first'
  /**
   * Which actions agree; `submit` is the form without one.
   * @default 'approve', or 'submit' where the form has no actions
   */
  readonly agree?: string | readonly string[] | undefined
  /** Which actions refuse. @default 'reject' */
  readonly refuse?: string | readonly string[] | undefined
  /**
   * Runs the step with each answer, not with the one alone that decides. The step returns the same `outletEach()`
   * again to wait on.
   * @default false
   */
  readonly runsEach?: boolean | undefined
  /** Lets each replace their answer until it is decided. @default false */
  readonly canChange?: boolean | undefined
  /** Shows each with their form what the others have answered. @default false */
  readonly showsAnswers?: boolean | undefined
  /** Who may not answer, whatever link they have: what the `actor` of the endpoint says of them. */
  readonly except?: readonly string[] | undefined
  /** By which outlet they are asked. @default 'email' */
  readonly outlet?: string | undefined
  /** Until when the pause waits, and what happens then. */
  readonly deadline?: WfDeadlineOptions | undefined
}

/** The people that a pause asks, as a step has said. */
export interface WfPanelRequest extends Pick<
  WfEachOptions,
  'runsEach' | 'canChange' | 'showsAnswers' | 'except'
> {
  readonly people: readonly (WfPerson & { readonly id: string })[]
  readonly needed: number
  readonly isFirst: boolean
  readonly agree?: readonly string[] | undefined
  readonly refuse: readonly string[]
}

/** What a step returns to ask several people. */
export interface WfPanelPause {
  inputRequired: WfOutletRequest & { readonly panel: WfPanelRequest }
}

const MOST_PEOPLE = 50

/**
 * Asks several people at the same time, each by a link of their own. An answer ends nobody else's link until
 * enough have agreed, or cannot agree any more; then the step runs again, all links end, and `useWfAnswers()`
 * tells what was said. Only in durable runs, with an outbox.
 *
 * @throws TypeError for people, or a quorum, that make no sense
 *
 * @example
 * ```ts
 * import { outletEach, Step, useWfAnswers, WfInput, WorkflowParam, type WfForm } from '@atscript/moost-wf'
 *
 * declare const DecisionForm: WfForm & (new () => { comment?: string })
 *
 * class Approval {
 *   @Step('decide')
 *   decide(
 *     @WorkflowParam('context') ctx: { approvers: string[]; applicant: string; approved?: boolean },
 *     @WfInput({ form: DecisionForm, ask: false }) _input?: { comment?: string },
 *   ) {
 *     const answers = useWfAnswers()
 *     if (!answers.isDecided) {
 *       const people = ctx.approvers.map(to => ({ to, requireUser: true as const }))
 *       const how = { form: DecisionForm, template: 'decide', quorum: 2, except: [ctx.applicant] }
 *       return outletEach(people, how)
 *     }
 *     ctx.approved = answers.outcome === 'reached'
 *   }
 * }
 * ```
 */
export function outletEach(people: readonly WfPerson[], options: WfEachOptions): WfPanelPause {
  const { quorum, agree, refuse = 'reject', deadline, outlet = 'email', ...more } = options
  const { form, template, context, showContext, usedNote, watch, fresh, ...how } = more
  check(people.length > 0, 'asks at least one person')
  check(people.length <= MOST_PEOPLE, `asks ${MOST_PEOPLE} people at most`)
  check(people.every(isPerson), 'has an address (to) for each')
  check(people.every(hasUser), 'has the name of a user, true or nothing as requireUser')
  // Whoever is left out here by mistake could decide after all.
  check(isNames(how.except ?? []), 'has names of users in except')
  check(
    people.every(hasWayForCode),
    'has a requireCode of true, or of an outlet, an address (to) and a template, which are texts',
  )
  const asked = people.map(person => ({
    form,
    template,
    context,
    ...person,
    id: person.id ?? person.to,
  }))
  check(
    new Set(asked.map(({ id }) => id)).size === asked.length,
    'asks each once: an id is there twice',
  )
  check(
    asked.every(person => person.form),
    'has a form for each',
  )
  const needed = quorum === 'all' ? asked.length : quorum === 'first' ? 1 : quorum
  check(
    Number.isInteger(needed) && needed > 0 && needed <= asked.length,
    `has a quorum of 'first', 'all', or 1 to ${asked.length}, which is how many are asked`,
  )
  const panel = {
    ...how,
    people: asked,
    needed,
    isFirst: quorum === 'first',
    agree: agree === undefined ? undefined : [agree].flat(),
    refuse: [refuse].flat(),
  }
  return { inputRequired: { outlet, showContext, usedNote, watch, fresh, deadline, panel } }
}

function isPerson({ to, id = to }: WfPerson): boolean {
  return isNames([to, id])
}

function hasUser({ requireUser }: WfPerson): boolean {
  return requireUser === undefined || requireUser === true || isNames([requireUser])
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(name => typeof name === 'string' && name !== '')
}

function hasWayForCode({ requireCode: how = false }: WfPerson): boolean {
  if (typeof how === 'boolean') return true
  if (typeof how !== 'object' || how === null || Array.isArray(how)) return false
  const { outlet = 'x', to = 'x', template = 'x' } = how
  return [outlet, to, template].every(text => typeof text === 'string' && text !== '')
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`outletEach() ${rule}.`)
}
