import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Outcome {
  readonly code: number | null
  /** What the command wrote, to both of its streams. */
  readonly output: string
}

/** A command that goes on. */
export interface RunningCommand {
  /** What it has written so far. */
  output(): string
  hasEnded(): boolean
}

/** A folder of its own outside the repository, for what users do in theirs. */
export class TempProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'moost-wf-'))
  /** What commands find in their environment. */
  readonly env: NodeJS.ProcessEnv = plainEnv()

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true })
      writeFileSync(join(this.folder, name), text)
    }
  }

  run(command: string, ...args: readonly string[]): Outcome {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: this.env,
    })
    if (error) throw error
    return { code: status, output: stdout + stderr }
  }

  /** Starts a command in a process group of its own, and ends all of it with the test. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
    const child = spawn(command, args, {
      cwd: this.folder,
      detached: true,
      env: { ...this.env, ...env },
    })
    const exit = once(child, 'exit')
    onTestFinished(async () => {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
      await exit
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    return { output: () => output, hasEnded: () => child.exitCode !== null }
  }

  /** A binary of a package that is installed here. */
  bin(name: string, ...args: readonly string[]): Outcome {
    return this.run(join(this.folder, 'node_modules/.bin', name), ...args)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What vitest has told this process about itself must not reach what users run. */
function plainEnv(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, VITEST: __, ...env } = process.env
  const isOurs = (name: string) => /^(?:VITEST|WF_|npm_(?!config_))/u.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}
