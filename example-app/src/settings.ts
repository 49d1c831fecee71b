/** What the example reads from its environment. */
export interface Settings {
  readonly host: string
  readonly port: number
}

const DEFAULT_PORT = 3000
const MAX_PORT = 65_535

/** @throws Error with a sentence that says what to do */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { HOST: host = '127.0.0.1', PORT: text = String(DEFAULT_PORT) } = env
  const port = Number(text)
  if (!/^\d+$/u.test(text) || port > MAX_PORT) {
    throw new Error(`PORT is "${text}"; set it to a number from 0 to ${MAX_PORT}, or leave it out.`)
  }
  return { host, port }
}
