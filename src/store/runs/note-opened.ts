import { wholeTime } from '../rows/expiry'
import { linkOf, type Row } from './run-row'
import type { RunTables } from './run-tables'

const TRIES = 5

/** Counts that a link was shown: by one statement, unless somebody else counts at the same moment. */
export async function noteOpened({ options }: RunTables, hash: string): Promise<void> {
  const { links, clock } = options
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await links.findOne({ filter: { hash } })
    if (!row) return
    const { opens = 0 } = linkOf(row as Row)
    const patch = { opens: opens + 1, openedAt: wholeTime(clock) }
    if ((await links.updateMany({ hash, opens }, patch)).matchedCount > 0) return
  }
}
