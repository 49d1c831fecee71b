// The first example of the README, as a user has it: beside the package that was built, with its peers.
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import ts from 'typescript'
import { bundleFile, removeAtExit, root } from './bundle.mjs'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const [, CODE] = /```ts\n([\s\S]*?)```/u.exec(readme)
const [, SHOWN] = /```console\n([\s\S]*?)```/u.exec(readme)
const EXCHANGES = [...SHOWN.matchAll(/localhost:3000(\S+) .*-d '(.*)'\n(.*)\n/gu)]

/** What decorators need. */
const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
}

/** The same with enums in place of their names. */
const { options: TRANSPILING } = ts.convertCompilerOptionsFromJson(COMPILER_OPTIONS, '.')

/** @returns the folder with `main.ts`, as it is written, and `main.mjs`, compiled */
export function exampleProject() {
  const folder = mkdtempSync(join(tmpdir(), 'moost-wf-example-'))
  removeAtExit(folder)
  const scope = join(folder, 'node_modules/@atscript')
  mkdirSync(scope, { recursive: true })
  // Outside of every other node_modules: neither Node nor Deno takes TypeScript from there.
  symlinkSync(root, join(scope, 'moost-wf'))
  for (const name of ['moost', 'wooks', '@wooksjs', '@prostojs']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const { outputText } = ts.transpileModule(CODE, { compilerOptions: TRANSPILING })
  const files = {
    'package.json': { private: true, type: 'module' },
    'tsconfig.json': { compilerOptions: COMPILER_OPTIONS },
    'main.ts': CODE,
    'main.mjs': outputText,
  }
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** @returns the bundle of the example, which gives out what it would listen with */
export function exampleAsWorker() {
  const listening = /^await http\.listen\(.*\)$/mu
  if (!listening.test(CODE)) throw new Error('The example of the README does not listen any more.')
  const served = CODE.replace(listening, 'export default { fetch: request => http.fetch(request) }')
  return bundleFile('example.ts', served)
}

/** Sends what the README sends. @returns a case for each answer */
export async function exchangesWith(origin, send, how = 'as a Worker') {
  if (EXCHANGES.length === 0) throw new Error('The README shows no requests any more.')
  const cases = []
  let wfs = ''
  for (const [at, [, path, sent, shown]] of EXCHANGES.entries()) {
    const body = { ...JSON.parse(sent), ...(sent.includes('"wfs"') && { wfs }) }
    const expected = JSON.parse(shown)
    const title = [`${how}: request ${at + 1} is answered as the README shows`]
    try {
      const answer = await send(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const got = await answer.json()
      wfs = got.wfs ?? ''
      const isAsShown = isDeepStrictEqual(got, { ...expected, ...('wfs' in expected && { wfs }) })
      const error = isAsShown
        ? undefined
        : `${answer.status}: ${JSON.stringify({ ...got, wfs: '…' })}`
      cases.push({ path: title, state: isAsShown ? 'passed' : 'failed', error })
    } catch (error) {
      cases.push({ path: title, state: 'failed', error: `${error.message} ${error.cause ?? ''}` })
    }
  }
  return cases
}
