import { WfError } from '@atscript/moost-wf'

const SENTENCES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'That port is in use; set PORT to another one.',
  EACCES: 'That port needs more rights; set PORT to one above 1023.',
  ENOTFOUND: 'There is no such HOST; set it to 127.0.0.1, or leave it out.',
  EADDRNOTAVAIL: 'This machine does not have that HOST; set it to 127.0.0.1, or leave it out.',
  WF_DB_UNAVAILABLE:
    'The database does not answer; check DATABASE_URL, or leave it out for an SQLite file.',
  WF_DB_FAILED: 'The database refuses us; check DATABASE_URL, or leave it out for an SQLite file.',
}

/** Why the application cannot start, and what to do. Never holds a password of an address. */
export function sentenceOf(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException
  const sentence = SENTENCES[code] ?? message
  const cause = error instanceof WfError ? reasonOf(error.cause) : undefined
  return cause ? `${sentence} (${cause})` : sentence
}

/** A code of the driver, such as ECONNREFUSED: its message may quote the address. */
function reasonOf(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}
