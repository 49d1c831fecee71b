import { StepRetriableError, type TStepHandler } from '@prostojs/wf'
import { current } from '@wooksjs/event-core'
import { wfKind } from '@wooksjs/event-wf'
import { isThenable } from 'moost'
import { delayedTo, isDelay, useWfFinished } from '../../run'
import { isDone } from './continuation'
import { type WfRun, wfRunKey } from './wf-run'

type StepHandler = TStepHandler<unknown, unknown, unknown>
type StepOutput = Awaited<ReturnType<StepHandler>>

/**
 * Wraps a step's handler: the step gets the run's input itself and once, sees its own position, and
 * its checkpoint is awaited. The engine would feed the input to every round of a loop.
 */
export function wrapStep(handle: StepHandler): StepHandler {
  return async (context, itemInput) => {
    const event = current()
    const run = event.get(wfRunKey)
    const position = run.position()
    const input = run.takeInput(itemInput)
    event.set(wfKind.keys.indexes, position)
    event.set(wfKind.keys.input, input)
    try {
      const step = () => handle(context, input)
      const result = run.inStep ? run.inStep<StepOutput>(step) : step()
      const output = raiseReturnedError(isThenable(result) ? await result : result)
      if (isDelay(output)) return delayedTo(goOn(run, position, output), output)
      if (isPause(output)) return output
      const next = goOn(run, position, output)
      if (run.checkpoint) {
        const { indexes, behind } = next
        await run.checkpoint({ schemaId: run.schemaId, indexes, context }, behind)
      }
      return output
    } catch (thrown) {
      // Moost throws what an error interceptor replies: it may be a pause.
      if (thrown instanceof Error || !isPause(thrown)) {
        run.stepFailed?.(position)
        throw thrown
      }
      return thrown as StepOutput
    } finally {
      event.set(wfKind.keys.input, undefined)
      run.stepDone?.()
    }
  }
}

/** Exactly what the engine takes for a pause, short of a thrown `StepRetriableError`. */
export function isPause(output: unknown): boolean {
  if (output instanceof StepRetriableError) return true
  return Boolean((output as { inputRequired?: unknown } | undefined | null)?.inputRequired)
}

/**
 * An interceptor denies by *returning* an error. The engine would take that for a finished step and
 * go on behind the guard.
 */
export function raiseReturnedError<R>(output: R): R {
  if (output instanceof Error && !(output instanceof StepRetriableError)) throw output
  return output
}

/** Where a run goes on behind a step: behind it, or where the step has said. */
function goOn({ course }: WfRun, position: readonly number[], output: unknown) {
  const next = course?.follow(output)
  if (next) return { indexes: [...next.indexes], behind: { stepId: next.left } }
  if (course) noteResult(output)
  const indexes = [...position.slice(0, -1), (position.at(-1) ?? 0) + 1]
  return { indexes, behind: { isLast: course !== undefined } }
}

/** What a step is done with is what the workflow ends with, unless it has said so in more detail. */
function noteResult(output: unknown): void {
  const { get, set } = useWfFinished()
  if (isDone(output) && output.result !== undefined && !get()) {
    set({ type: 'data', value: output.result })
  }
}
