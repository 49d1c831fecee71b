import type { IssuedToken, StrategyRegistry } from '../strategies'

/** What was sent for a token, parsed once per request. */
export interface RequestToken {
  /** As it came: not necessarily a text. */
  readonly text: unknown
  /** `null` for what no strategy here can have issued. */
  readonly issued: IssuedToken | null
}

/** `undefined` when nothing was sent. */
export function readToken(registry: StrategyRegistry, text: unknown): RequestToken | undefined {
  return text === undefined ? undefined : { text, issued: registry.forToken(text) }
}
