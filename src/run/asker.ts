import { WfError } from '../errors'
import {
  type Awaitable,
  isRecord,
  isStorable,
  whenKnown,
  type WfAsker,
  type WfFacts,
} from '../state'
import type { RunStarter } from './run-request'

/** So much of a request may be kept with every claim. */
const MOST_FACTS = 4096

/**
 * Who asks, for a strategy that keeps it.
 *
 * @throws WfError `WF_CONFIG` for facts that are none
 */
export function askerOf(starter: Pick<RunStarter, 'actor' | 'facts'>): Awaitable<WfAsker> {
  const facts = factsOf(starter)
  return whenKnown(starter.actor(), actor => ({ actor, facts }))
}

/** What is known of the request, as it will be known later. */
export function factsOf({ facts }: Pick<RunStarter, 'facts'>): WfFacts | undefined {
  const given = facts?.()
  if (given === undefined) return undefined
  const text = isRecord(given) && isStorable(given) ? textOf(given) : undefined
  if (text !== undefined && text.length <= MOST_FACTS) return JSON.parse(text) as WfFacts
  throw new WfError(
    'WF_CONFIG',
    `facts() gives an object of JSON, of ${MOST_FACTS} characters at most.`,
  )
}

function textOf(facts: object): string | undefined {
  try {
    return JSON.stringify(facts)
  } catch {
    return undefined
  }
}
