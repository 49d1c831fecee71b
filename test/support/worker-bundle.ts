import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import ts from 'typescript'
import { blockWith } from './example'
import { unpackTarball } from './tarball'
import type { Outcome, TempProject } from './temp-project'

const ATSCRIPT_CONFIG = `
import { defineConfig } from '@atscript/core'
import typescript from '@atscript/typescript'
import wf from '@atscript/moost-wf/plugin'

export default defineConfig({ rootDir: 'schemas', plugins: [typescript(), wf()] })
`

const DECORATORS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
}

/** The Worker of docs/workers.md in a project of its own, with the packed tarball. */
export function writeWorker(project: TempProject): void {
  unpackTarball(project)
  const source = blockWith('docs/workers.md', 'class CoffeeController')
  const { outputText } = ts.transpileModule(source, { compilerOptions: DECORATORS })
  project.write({
    'atscript.config.js': ATSCRIPT_CONFIG,
    'schemas/WfRunRows.as': blockWith('docs/durable.md', 'WfRunRow', 'atscript'),
    'worker.ts': source,
    'compiled/worker.js': outputText.replace('./schemas/', '../schemas/'),
    'rolldown.mjs': blockWith('docs/workers.md', `from 'rolldown'`, 'js'),
    'esbuild.mjs': blockWith('docs/workers.md', `from 'esbuild'`, 'js'),
  })
  orThrow(project.run('npx', 'asc', '-f', 'js'))
}

/** Builds it as the page says. @returns its code */
export function buildWorker(project: TempProject, bundler: 'rolldown' | 'esbuild'): string {
  orThrow(project.run('node', `${bundler}.mjs`))
  return readFileSync(join(project.folder, 'dist/worker.js'), 'utf8')
}

/** Workerd with a Worker in it. */
export const runInWorkerd = (code: string, options: Partial<MiniflareOptions> = {}): Miniflare =>
  new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: code }],
    compatibilityDate: '2026-04-01',
    // What Moost logs while it starts.
    handleRuntimeStdio: () => {},
    ...(options as object),
  })

function orThrow({ code, output }: Outcome): void {
  if (code !== 0) throw new Error(output)
}
