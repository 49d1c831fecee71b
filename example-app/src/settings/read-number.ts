export interface NumberRule {
  readonly most: number
  readonly byDefault: number
  /** What it counts, if the name alone does not say it. */
  readonly what?: string
}

/**
 * A whole number from the environment.
 *
 * @throws Error with a sentence that says what to do
 */
export function readNumber(
  name: string,
  env: NodeJS.ProcessEnv,
  { most, byDefault, what = 'a number' }: NumberRule,
): number {
  const text = env[name]
  if (!text) return byDefault
  if (/^\d{1,9}$/u.test(text) && Number(text) <= most) return Number(text)
  throw new Error(`${name} is "${text}"; set it to ${what} from 0 to ${most}, or leave it out.`)
}
