/**
 * Tokens that no table knows: those that hold the state themselves (JOSE, sealed or signed), and
 * `<strategy>.<raw>` with a raw part that is random, which may be of another store.
 */
const SHAPES = [
  /(?<![\w-])eyJ[\w-]{10,}\.[\w-]*\./u,
  /\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}/u,
  /(?<![\w-])[\w-]{1,64}\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/iu,
  /(?<![\w-])[\w-]{1,64}\.(?=[\w~-]*\d)(?=[\w~-]*[a-z])(?=[\w~-]*[A-Z])[\w~-]{20,}/u,
]

/** Whether a text holds what has the form of a token. */
export function looksLikeToken(text: string): boolean {
  return SHAPES.some(shape => shape.test(text))
}
