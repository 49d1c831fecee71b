import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'

const MOST_KILLS = 10
const WITHIN_MS = 60_000
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs a Node program, and starts it again whenever it was killed, on the port that it has told. Signals that
 * ask to stop are passed on. A program that is killed ten times within a minute is left alone.
 *
 * @returns the exit code to end with
 */
export async function supervise(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const kills: number[] = []
  let child: ChildProcess | undefined
  let port: number | undefined
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    child?.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    for (;;) {
      child = spawn(process.execPath, [...process.execArgv, ...args], {
        env: port === undefined ? env : { ...env, PORT: String(port) },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // In a group of its own: a terminal would send Ctrl-C to it as well, and two of them end it at once.
        detached: true,
      })
      child.on('message', message => {
        port = (message as { port: number }).port
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      if (signal !== 'SIGKILL' || isStopping) return code ?? codeOf(signal)
      kills.push(Date.now())
      if (isTooMuch(kills)) {
        console.error(`The server was killed ${MOST_KILLS} times within a minute. Giving up.`)
        return codeOf(signal)
      }
      console.log('The server was killed. Starting it again.')
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

const isTooMuch = (kills: readonly number[]): boolean => {
  const [first = 0] = kills.slice(-MOST_KILLS)
  return kills.length >= MOST_KILLS && Date.now() - first < WITHIN_MS
}

/** As shells tell of a program that a signal has ended. */
const codeOf = (signal: NodeJS.Signals | null): number =>
  signal ? 128 + constants.signals[signal] : 1
