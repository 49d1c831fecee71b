import { randomUUID } from 'node:crypto'
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import type { ReceivedMail } from './mailbox'

const MAX_MAILS = 500
const MAX_BYTES = 5 * 2 ** 20

/**
 * The newest mails, in a file that only its owner can read: their links work. One line each, the newest last;
 * what is too old is left out when the file is written anew, which it is before it has twice its size.
 */
export class MailFile {
  readonly #path
  /** Oldest first, as in the file. */
  #lines: string[] = []
  #bytesWritten = 0
  #writing: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** What a former process has kept. A line that was half written when it ended is left out. */
  async open(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    this.#lines = withinBounds(text.split('\n').flatMap(named))
    await this.#rewrite()
  }

  /** Newest first. */
  list(most = MAX_MAILS): readonly ReceivedMail[] {
    const newest = this.#lines.slice(-most)
    return newest.map(line => JSON.parse(line) as ReceivedMail).toReversed()
  }

  /** In turn, or one line could end up within another. */
  keep(mail: Omit<ReceivedMail, 'id'>): Promise<void> {
    const line = JSON.stringify({ ...mail, id: randomUUID() } satisfies ReceivedMail)
    const kept = this.#writing.then(() => this.#add(line))
    this.#writing = kept.catch(() => undefined)
    return kept
  }

  async #add(line: string): Promise<void> {
    this.#lines = withinBounds([...this.#lines, line])
    this.#bytesWritten += Buffer.byteLength(line)
    if (this.#bytesWritten > 2 * MAX_BYTES) await this.#rewrite()
    else await appendFile(this.#path, `${line}\n`, { mode: 0o600 })
  }

  async #rewrite(): Promise<void> {
    const text = this.#lines.map(line => `${line}\n`).join('')
    const draft = `${this.#path}.new`
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, this.#path)
    this.#bytesWritten = Buffer.byteLength(text)
  }
}

/** The newest that there is room for. */
function withinBounds(lines: readonly string[]): string[] {
  let left = MAX_BYTES
  const kept = lines.slice(-MAX_MAILS)
  const from = kept.findLastIndex(line => (left -= Buffer.byteLength(line)) < 0)
  return kept.slice(from + 1)
}

/** A line as it is kept; none if it is broken. Former versions gave mails no id. */
function named(line: string): string[] {
  const mail = parse(line)
  if (!mail) return []
  return [mail.id ? line : JSON.stringify({ ...mail, id: randomUUID() })]
}

function parse(line: string): Partial<ReceivedMail> | undefined {
  try {
    return JSON.parse(line) as Partial<ReceivedMail>
  } catch {
    return undefined
  }
}
