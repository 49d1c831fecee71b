import { WfError } from '../../errors'

/** What a message shows of a name that came with a request. */
const SHOWN = 40

export function filterError(problem: string): WfError {
  return new WfError('WF_DB_FILTER', `The query is refused: ${problem}.`)
}

/** A name for a message: quoted, with nothing unprintable, and short. */
export function shown(name: string): string {
  return JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name)
}
