import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './project'

const EXAMPLE = join(root, 'example-app')

let compiled: Promise<string> | undefined

/**
 * The server of the example as JavaScript, for as long as this process runs. Compiling it takes less than half of one
 * start from its sources.
 */
export function compiledExample(): Promise<string> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<string> {
  // As deep in the folders as the sources, for the paths that are relative to them.
  const outDir = join(EXAMPLE, `dist.server.${process.pid}`)
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
  await build({
    root: EXAMPLE,
    logLevel: 'error',
    ssr: { external: true },
    build: {
      ssr: 'src/main.ts',
      outDir,
      minify: false,
      rolldownOptions: {
        output: { preserveModules: true, preserveModulesRoot: join(EXAMPLE, 'src') },
      },
    },
  })
  return join(outDir, 'main.js')
}
