import { createHash } from 'node:crypto'
import type { WfFormAnswer, WfStepForm } from '../state'
import { contextKeysOf, extractPassContext } from './extract-pass-context'
import { listFormActions } from './form-actions'
import { sentencesOf } from './form-sentences'
import { hasSensitiveField } from './sensitive-field'
import { readSubmit } from './form-submit'
import type { ObjectForm } from './form-type'
import { serializeFormSchema } from './serialize-form-schema'
import type { ResolveInputOptions } from './use-atscript-wf'
import { type InputResult, validateInput } from './validate-input'

const DIGEST_LENGTH = 16
const CHANGED = 'This form has changed meanwhile. Please look at it again.'

/** A form as the step declares it, for whoever shows it without running the step. */
export function stepFormOf(form: ObjectForm, options: ResolveInputOptions = {}): WfStepForm {
  const schema = serializeFormSchema(form)
  const digest = digestOf(schema)
  return Object.freeze({
    id: form.id ?? '',
    digest,
    type: form,
    schema,
    contextKeys: contextKeysOf(form),
    isAsked: options.ask !== false,
    actions: listFormActions(form).map(({ id: action }) => action),
    isSensitive: hasSensitiveField(schema),
    passContext: (context: unknown) => extractPassContext(form, context),
    read: (answer: WfFormAnswer, shown = digest) => {
      const result = judge(form, answer, options.partial)
      if ('data' in result) return { answer, data: result.data }
      const { errors, formMessage = shown === digest ? undefined : CHANGED } = result
      return { sentences: { ...sentencesOf({ errors, formMessage }) } }
    },
  })
}

/** What `resolveInput` would give, or complain about. */
function judge(form: ObjectForm, answer: WfFormAnswer, partial: boolean | undefined): InputResult {
  const { input, action, problem } = readSubmit(form, answer.input, answer.action)
  if (problem !== undefined) return { formMessage: problem }
  // Whether it takes an action that comes without data is for the step to say.
  if (action && !action.withData) return { data: undefined }
  return validateInput(form, input, partial ?? action !== undefined)
}

function digestOf(schema: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(schema))
  return hash.digest('base64url').slice(0, DIGEST_LENGTH)
}
