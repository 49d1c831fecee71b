import { StepRetriableError, type TStepHandler } from '@prostojs/wf'
import { current } from '@wooksjs/event-core'
import { wfKind } from '@wooksjs/event-wf'
import { isThenable } from 'moost'
import { wfRunKey } from './wf-run'

type StepHandler = TStepHandler<unknown, unknown, unknown>

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
      const result = handle(context, input)
      const output = raiseReturnedError(isThenable(result) ? await result : result)
      if (run.checkpoint && !isPause(output)) {
        await run.checkpoint({ schemaId: run.schemaId, indexes: behind(position), context })
      }
      return output
    } catch (thrown) {
      // Moost throws what an error interceptor replies: it may be a pause.
      if (thrown instanceof Error || !isPause(thrown)) throw thrown
      return thrown as Awaited<ReturnType<StepHandler>>
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

function behind(position: readonly number[]): number[] {
  return [...position.slice(0, -1), (position.at(-1) ?? 0) + 1]
}
