import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Outcome {
  readonly code: number | null
  /** What the command wrote, to both of its streams. */
  readonly output: string
}

/** A folder of its own outside the repository, for what users do in theirs. */
export class TempProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'moost-wf-'))

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
    })
    if (error) throw error
    return { code: status, output: stdout + stderr }
  }

  /** A binary of a package that is installed here. */
  bin(name: string, ...args: readonly string[]): Outcome {
    return this.run(join(this.folder, 'node_modules/.bin', name), ...args)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
