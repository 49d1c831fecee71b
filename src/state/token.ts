/** A token as it travels is `<name>.<raw>`: which strategy issued it, and what that knows it by. */
export interface WfToken {
  /** A strategy's name in the registry. */
  readonly name: string
  readonly raw: string
}

/** What a name may be made of: it has no dot, so the first one ends it. */
export const TOKEN_NAME = /^[A-Za-z0-9_-]+$/u

export function formatToken({ name, raw }: WfToken): string {
  return `${name}.${raw}`
}

/** `null` for what cannot be a token: it may be anything that a request has brought. */
export function parseToken(text: unknown): WfToken | null {
  if (typeof text !== 'string') return null
  const dot = text.indexOf('.')
  if (dot < 1 || dot === text.length - 1) return null
  return { name: text.slice(0, dot), raw: text.slice(dot + 1) }
}
