/** An error that can be logged: whoever wrote it may have quoted the token. */
export function redactToken(error: unknown, token: string): unknown {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (!text.includes(token)) return error
  const redacted = new Error('An error that quoted a token')
  redacted.stack = text.replaceAll(token, '<token>')
  return redacted
}
