import { existsSync, readFileSync } from 'node:fs'
import type { WfRunEvent } from '@atscript/moost-wf/store'

/** What a step of a durable server has noted, which survives that server. */
export interface StepNote {
  readonly what: 'begin' | 'end'
  readonly flowId: string
  /** The same for every execution of one step of one run. */
  readonly key: string
  readonly step: string
  readonly node: string
  readonly answer?: number
  /** By the clock of the machine. */
  readonly at: number
  /** For how long its process had not told the database that it has the run. */
  readonly silentMs: number
}

/** What all steps have noted, the oldest first. */
export function readNotes(file: string): readonly StepNote[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(Boolean).map(line => JSON.parse(line) as StepNote)
}

export function notesByFlow(notes: readonly StepNote[]): Map<string, StepNote[]> {
  const byFlow = new Map<string, StepNote[]>()
  for (const note of notes) byFlow.set(note.flowId, [...(byFlow.get(note.flowId) ?? []), note])
  return byFlow
}

/**
 * Executions of a step that began when its completion was committed already, by a process that had the
 * run. One that was silent for longer than its lease had lost it, and could not know.
 */
export function runAgain(
  notes: readonly StepNote[],
  history: readonly WfRunEvent[],
  leaseMs: number,
): readonly StepNote[] {
  return history
    .filter(({ type }) => type === 'step_completed')
    .flatMap(({ stepId, at }) =>
      notes.filter(
        note =>
          note.what === 'begin' &&
          `shop/${note.step}` === stepId &&
          note.at > at + 1 &&
          note.silentMs < leaseMs,
      ),
    )
}

/** Pairs of executions of one run that overlap, of which the first was never silent for its lease. */
export function overlaps(
  notes: readonly StepNote[],
  leaseMs: number,
): readonly (readonly [StepNote, StepNote])[] {
  const pairs: (readonly [StepNote, StepNote])[] = []
  for (const ofFlow of notesByFlow(notes).values()) {
    const begins = ofFlow.filter(({ what }) => what === 'begin')
    for (const first of begins) {
      const end = ofFlow.find(({ what, key, node, at }) => {
        return what === 'end' && key === first.key && node === first.node && at >= first.at
      })
      if (!end || end.silentMs >= leaseMs) continue
      for (const second of begins) {
        if (second.node !== first.node && second.at > first.at && second.at < end.at) {
          pairs.push([first, second])
        }
      }
    }
  }
  return pairs
}
