import type { TWorkflowSchema } from '@prostojs/wf'
import { current } from '@wooksjs/event-core'
import { WfError } from '../../errors'
import { isRecord, NoSuchStep, type WfStepPosition } from '../../state'
import { isDone, isGoTo } from './continuation'
import { wfRunKey } from './wf-run'

/**
 * The steps of a workflow by their names, the first one first: a list, or for each the ones that it may go on
 * at.
 */
export type WfNamedSteps = readonly string[] | Readonly<Record<string, readonly string[]>>

/** Named steps, checked. */
export interface NamedSteps {
  readonly names: readonly string[]
  /** Whether a step may go on at another. */
  leads(from: string, to: string): boolean
}

/** @throws WfError `WF_CONFIG`, naming what is wrong */
export function readNamedSteps(steps: WfNamedSteps): NamedSteps {
  const names = namesOf(steps)
  const known = new Set(names)
  const ways = new Map(
    names.map(name => [name, Array.isArray(steps) ? names : waysFrom(steps, name)]),
  )
  for (const [name, targets] of ways) {
    const missing = targets.find(target => !known.has(target))
    if (missing !== undefined) {
      throw malformed(`"${name}" goes on at "${missing}", which is none of them`)
    }
  }
  if (names.length === 0 || names.some(name => name === '')) throw malformed('there must be some')
  if (known.size < names.length) throw malformed('each has a name of its own')
  return { names, leads: (from, to) => ways.get(from)?.includes(to) ?? false }
}

function namesOf(steps: WfNamedSteps): readonly string[] {
  if (Array.isArray(steps) && steps.every(name => typeof name === 'string')) return [...steps]
  if (!Array.isArray(steps) && isRecord(steps)) return Object.keys(steps)
  throw malformed('they are a list of names, or the names that each goes on at')
}

function waysFrom(steps: WfNamedSteps, name: string): readonly string[] {
  const ways = (steps as Readonly<Record<string, unknown>>)[name]
  if (Array.isArray(ways) && ways.every(way => typeof way === 'string')) return ways
  throw malformed(`"${name}" says by a list of names where it goes on`)
}

const malformed = (rule: string) => new WfError('WF_CONFIG', `Named steps: ${rule}.`)

/**
 * The same as a schema: a loop over all steps, each of which runs when its turn has come. So a pause, a
 * checkpoint, a deploy and a diagram mean by its positions what they mean by those of any other.
 */
export function schemaOfNamedSteps({ names }: NamedSteps): TWorkflowSchema<unknown> {
  const course = () => current().get(wfRunKey).course
  return [
    {
      while: () => course()?.next !== undefined,
      steps: names.map(id => ({ id, condition: () => course()?.next === id })),
    },
  ]
}

/** Where a run goes on behind a step, and which step that was. */
export interface NextStep {
  readonly indexes: readonly number[]
  readonly left: string
}

/** How one run goes through named steps. */
export class Course {
  readonly #steps: NamedSteps
  readonly #places: readonly WfStepPosition[]
  /** The name of the step whose turn it is; `undefined` at the end. */
  next: string | undefined

  /**
   * @param places of the steps, in the order of their names
   * @param indexes where the run goes on: at a step, or behind the one that has ended it; a new one begins at
   * the first
   */
  constructor(
    steps: NamedSteps,
    places: readonly WfStepPosition[],
    indexes?: readonly number[] | undefined,
  ) {
    this.#steps = steps
    this.#places = places
    const isHere = ({ indexes: there }: WfStepPosition) => there.join() === indexes?.join()
    this.next = steps.names[indexes ? places.findIndex(isHere) : 0]
  }

  /**
   * Takes what the step has said whose turn it was.
   *
   * @returns where it goes on; `undefined` at the end
   * @throws WfError `WF_NO_SUCH_STEP`
   */
  follow(output: unknown): NextStep | undefined {
    const from = this.next ?? ''
    this.next = undefined
    if (isDone(output)) return undefined
    if (!isGoTo(output)) {
      const problem = `Step "${from}" says neither where it goes on (goTo) nor that it is done.`
      throw new NoSuchStep('', problem)
    }
    const { step } = output
    const { names, leads } = this.#steps
    if (!leads(from, step)) {
      throw new NoSuchStep(step, `Step "${from}" cannot go on at "${step}".`)
    }
    this.next = step
    const { indexes } = this.#places[names.indexOf(step)]!
    return { indexes, left: this.#places[names.indexOf(from)]!.stepId }
  }
}
