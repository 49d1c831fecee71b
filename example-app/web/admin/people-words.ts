import type { WfAdminAsked, WfAdminPerson } from '@atscript/moost-wf/admin'

/** How somebody who is asked stands. */
export const PERSON_WORDS: Readonly<Record<WfAdminPerson['state'], string>> = {
  waiting: 'Waiting',
  agreed: 'Agreed',
  refused: 'Refused',
  answered: 'Answered',
}

/** Where the decision of several people stands, in a sentence; nothing where one is asked. */
export function standing({ people, needed, agreed, refused }: WfAdminAsked): string {
  if (people.length < 2) return ''
  const all = people.length
  const rule = needed === all ? `All ${all} must agree` : `${needed} of ${all} must agree`
  const refusals = refused > 0 ? `, ${refused} ${refused === 1 ? 'has' : 'have'} refused` : ''
  return `${rule}. ${agreed} ${agreed === 1 ? 'has' : 'have'} agreed${refusals}.`
}
