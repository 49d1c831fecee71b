import { holdsSecret, type WfFormAnswer, type WfStepForm } from '../state'
import { readThrough } from './sealed-input'

/**
 * What of an answer may be kept until the step that it is for has run: nothing where that asks for a
 * password or a code, by its form or by the look of what was sent, and nothing that cannot be stored.
 */
export function answerToKeep(
  { input, action }: WfFormAnswer,
  forms: readonly WfStepForm[] = [],
): WfFormAnswer | undefined {
  if (input === undefined && action === undefined) return undefined
  const isSealed = readThrough(input) !== input
  const isSecret = forms.some(({ isSensitive }) => isSensitive)
  return isSealed || isSecret || holdsSecret(input) ? undefined : { input, action }
}
