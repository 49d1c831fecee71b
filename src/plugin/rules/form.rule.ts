import { type Rule, textOf } from './rule'

const OURS = ['errors', 'formMessage']

/** A context key that goes to the client does not stand where the form's errors do. */
export const isFreeKey: Rule = use => {
  const key = textOf(use)
  if (key === '') return 'name a key of the context'
  if (key === undefined || !OURS.includes(key)) return undefined
  return `"${key}" is where the sentences about the form go: give the key of the context another name`
}

/** An action has a name that can be sent. */
export const hasId: Rule = use =>
  textOf(use)?.trim() === '' ? `name the action, such as 'resend'` : undefined
