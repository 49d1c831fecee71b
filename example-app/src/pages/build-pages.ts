import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const CONFIG = pathOf('../../vite.web.config.ts')
const SOURCES = [CONFIG, pathOf('../../web'), pathOf('../../../src/client')]
const TARGET = pathOf('../../dist')

/** Builds the pages for the browser if they are missing, or older than what they are made of. */
export async function buildPages(): Promise<void> {
  if (newest([join(TARGET, 'index.html')]) > newest(SOURCES)) return
  console.log('Building the pages…')
  // Built aside and then moved, so that nobody ever sees half of them.
  const outDir = `${TARGET}.${process.pid}`
  try {
    const { build } = await import('vite')
    await build({ configFile: CONFIG, logLevel: 'error', build: { outDir, emptyOutDir: true } })
    replaceTarget(outDir)
  } catch (error) {
    const { message } = error as Error
    console.error(`The pages could not be built; everything below /api works. ${message}`)
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

function replaceTarget(built: string): void {
  rmSync(TARGET, { recursive: true, force: true })
  try {
    renameSync(built, TARGET)
  } catch (error) {
    // Another process has built them at the same time.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** When the newest of some files was changed; 0 if there are none. */
function newest(paths: readonly string[]): number {
  return Math.max(0, ...paths.map(changedAt))
}

// A folder changes when a file in it is removed.
function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  const children = stat?.isDirectory() ? readdirSync(path).map(name => join(path, name)) : []
  return Math.max(stat?.mtimeMs ?? 0, newest(children))
}
