import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import ts from 'typescript'
import { blockWith } from './example'
import { readFile } from './project'
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
    'orders-worker.ts': readFile('test/fixtures/worker/orders-worker.ts').text,
    'schemas/WfLedgerRow.as': blockWith('docs/schemas.md', 'WfLedgerRow', 'atscript'),
    'schemas/OrderForms.as': blockWith('docs/set-up.md', 'OrderForm', 'atscript'),
    'schemas/WfStateRow.as': blockWith('docs/set-up.md', 'WfStateRow', 'atscript'),
    'src/orders.ts': blockWith('docs/set-up.md', 'export class Orders'),
  })
  orThrow(project.run('npx', 'asc', '-f', 'js'))
}

/** Builds it, or another one beside it, as the page says. @returns its code */
export function buildWorker(
  project: TempProject,
  bundler: 'rolldown' | 'esbuild',
  input = 'worker.ts',
): string {
  const script = blockWith('docs/workers.md', `from '${bundler}'`, 'js')
  project.write({ 'build.mjs': script.replace(`'worker.ts'`, `'${input}'`) })
  orThrow(project.run('node', 'build.mjs'))
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
