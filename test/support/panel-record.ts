import type { WfRunEvent, WfRunStore } from '@atscript/moost-wf/store'
import { expect } from 'vitest'

/** When several people have decided. */
export interface PanelRule {
  readonly people: number
  readonly quorum: number | 'all' | 'first'
}

/** An answer that the history has. */
export interface RecordedAnswer {
  readonly seat: string
  readonly to: string
  readonly action: string
}

export function recordedAnswers(history: readonly WfRunEvent[]): RecordedAnswer[] {
  const answers = history.filter(({ type }) => type === 'answered')
  return answers.map(({ detail }) => {
    const { seat, to, action } = detail as unknown as RecordedAnswer
    return { seat, to, action }
  })
}

/** What so many answers have come to, by the rule alone. The last one of each part counts. */
export function outcomeOf(
  { people, quorum }: PanelRule,
  answers: readonly RecordedAnswer[],
): string {
  const last = [...new Map(answers.map(({ seat, action }) => [seat, action])).values()]
  const agreed = last.filter(action => action === 'approve').length
  const refused = last.filter(action => action === 'reject').length
  if (quorum === 'first') return agreed > 0 ? 'reached' : refused > 0 ? 'impossible' : 'open'
  const needed = quorum === 'all' ? people : quorum
  if (agreed >= needed) return 'reached'
  return people - refused < needed ? 'impossible' : 'open'
}

/** Expects that a run was decided by the last of its answers and by no earlier one, and went on once. */
export async function expectDecided(
  store: WfRunStore,
  flowId: string,
  rule: PanelRule,
): Promise<RecordedAnswer[]> {
  const run = (await store.find(flowId))!
  const history = await store.history(flowId)
  const answers = recordedAnswers(history)
  const before = outcomeOf(rule, answers.slice(0, -1))
  const outcome = outcomeOf(rule, answers)
  expect(before).toBe('open')
  expect(outcome).not.toBe('open')
  const last = new Map(answers.map(({ seat, action }) => [seat, `${seat} ${action}`]))
  expect(run).toMatchObject({ status: 'completed', version: history.length })
  expect(run.state.context).toMatchObject({ outcome, told: 1 })
  const { said } = run.state.context as { said: readonly string[] }
  expect(said.toSorted()).toEqual([...last.values()].toSorted())
  const completed = history.filter(({ type }) => type === 'step_completed')
  expect(completed.map(({ stepId }) => stepId)).toEqual(['decide', 'tell'])
  return answers
}
