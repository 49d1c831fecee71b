import { parseToken } from '../state'

/** An error that can be logged: whoever wrote it may have quoted a token, or the handle in it. */
export function redactTokens(error: unknown, tokens: readonly string[]): unknown {
  const secrets = tokens.flatMap(token => [token, parseToken(token)?.raw ?? token])
  return redact(
    error,
    secrets.filter(secret => secret.length > 7),
  )
}

function redact(error: unknown, secrets: readonly string[]): unknown {
  if (error instanceof AggregateError) {
    return new AggregateError(
      error.errors.map(one => redact(one, secrets)),
      error.message,
    )
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (!secrets.some(secret => text.includes(secret))) return error
  const redacted = new Error('An error that quoted a token')
  redacted.stack = secrets.reduce((rest, secret) => rest.replaceAll(secret, '<token>'), text)
  return redacted
}
