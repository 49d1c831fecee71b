import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rejectNative } from '@atscript/moost-wf/plugin/reject-native'
import { type Plugin, rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import atscript from 'unplugin-atscript'

const { resolve } = createRequire(import.meta.url)
const FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** What `wrangler.jsonc` names as `main` and as the folder of the assets. */
export async function build(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  await Promise.all([
    buildWorker(join(outDir, 'worker/index.js')),
    buildPages(join(outDir, 'pages')),
  ])
}

/** unplugin-atscript looks for schemas of packages beside the file that imports them. */
const schemasOfPackages: Plugin = {
  name: 'schemas of packages',
  resolveId: specifier => (/^@[^/]+\/.*\.as$/u.test(specifier) ? resolve(specifier) : null),
}

async function buildWorker(file: string): Promise<void> {
  const bundle = await rolldown({
    input: join(FOLDER, 'src/worker.ts'),
    platform: 'node',
    // Moost injects by the metadata of decorators, as tsconfig.json wants them. The bundler of wrangler
    // does not emit any.
    transform: { target: 'es2022' },
    resolve: { conditionNames: ['workerd', 'worker', 'import'] },
    plugins: [
      rejectNative.rolldown(),
      schemasOfPackages,
      atscript.rolldown(),
      esmExternalRequirePlugin({ external: [/^node:/u, /^cloudflare:/u, ...builtinModules] }),
    ],
  })
  await bundle.write({ file, minify: true, sourcemap: false })
  await bundle.close()
}

async function buildPages(dir: string): Promise<void> {
  cpSync(join(FOLDER, 'public'), dir, { recursive: true })
  const bundle = await rolldown({
    input: join(FOLDER, 'pages/main.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  await bundle.write({ file: join(dir, 'app.js'), minify: true })
  await bundle.close()
}
