import { useUrlParams } from '@wooksjs/event-http'
import { isStorableText } from '../state'
import { badRequest, unstorable } from './admin-refusal'

interface NumberRule {
  readonly least: number
  readonly most: number
  readonly byDefault: number
}

/** The parameters of a query, each at most once. What is empty counts as left out. */
export interface Params {
  text(name: string): string | undefined
  number(name: string, rule: NumberRule): number
  choice<C extends string>(name: string, choices: readonly C[], byDefault: C): C
}

/** @throws AdminRefusal 400 for a parameter that is unknown, comes twice or cannot be kept */
export function readParams(known: readonly string[]): Params {
  const given = useUrlParams().params()
  const names = [...given.keys()]
  const text = (name: string) => given.get(name) || undefined
  for (const name of names) {
    if (!known.includes(name)) throw badRequest(`The parameters are ${known.join(', ')}.`)
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw badRequest(`"${name}" comes twice.`)
    if (!isStorableText(given.get(name) ?? '')) throw unstorable(`"${name}"`)
  }
  return {
    text,
    number(name, { least, most, byDefault }) {
      const asked = text(name)
      if (asked === undefined) return byDefault
      const number = /^\d{1,9}$/u.test(asked) ? Number(asked) : Number.NaN
      if (number >= least && number <= most) return number
      throw badRequest(`"${name}" is a whole number from ${least} to ${most}.`)
    },
    choice(name, choices, byDefault) {
      const asked = text(name) ?? byDefault
      const choice = choices.find(one => one === asked)
      if (choice === undefined) throw badRequest(`"${name}" is one of ${choices.join(', ')}.`)
      return choice
    },
  }
}
