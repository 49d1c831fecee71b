import { type Rule, textOf } from './rule'

// PostgreSQL cuts off what is longer, without a word.
const NAME = /^[A-Za-z_]\w{0,62}$/u

/** The name of a table or an index is one that every database takes as it is. */
export const isPlainName: Rule = use => {
  const name = textOf(use)
  if (name === undefined || NAME.test(name)) return undefined
  return `this name does not work in every database: write up to 63 letters, digits and underscores, such as 'wf_states'`
}
