import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFiles, type SourceFile } from '../support/project'

/** What each part may import of ours. A part that is not named here fails the test. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  state: ['errors'],
  strategies: ['state', 'errors'],
  store: ['state', 'errors'],
  outlets: ['state', 'errors'],
  controllers: ['errors'],
  http: ['state', 'errors', 'controllers'],
  run: ['state', 'errors', 'strategies', 'outlets', 'db'],
  trigger: ['state', 'errors', 'strategies', 'outlets', 'http', 'run', 'form-view'],
  worker: ['state', 'errors', 'strategies', 'run'],
  runs: ['state', 'errors', 'strategies', 'store', 'run', 'worker'],
  moost: ['state', 'errors', 'controllers', 'run', 'trigger'],
  forms: ['state', 'errors', 'outlets', 'run'],
  db: ['state', 'errors'],
  'form-view': [],
  client: ['form-view'],
  admin: ['state', 'errors', 'http', 'store', 'strategies', 'run', 'runs', 'trigger'],
  plugin: [],
  testing: ['state', 'errors', 'db'],
  'moved-names': ['strategies', 'run', 'trigger', 'store', 'moost', 'forms', 'outlets'],
  'public-names': ['outlets', 'run', 'trigger'],
  index: [
    'public-names',
    'moved-names',
    'state',
    'errors',
    'strategies',
    'store',
    'outlets',
    'run',
    'runs',
    'trigger',
    'moost',
    'forms',
  ],
}

function upwardImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(file => {
    const part = partOf(file.path)
    return importsOf(file)
      .map(partOf)
      .filter(target => target !== part && !MAY_IMPORT[part]?.includes(target))
      .map(target => `${file.path} imports ${target}`)
  })
}

/** The published face of a part may be named by the files that make up the package's own. */
const FACES = ['src/index.ts', 'src/moved-names.ts']

function deepImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(file =>
    importsOf(file)
      .filter(target => partOf(target) !== partOf(file.path) && target.split('/').length > 2)
      .filter(target => !(FACES.includes(file.path) && target.endsWith('/public')))
      .map(target => `${file.path} imports ${target}`),
  )
}

function importsOf({ path, text }: SourceFile): string[] {
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/gu)
  return [...specifiers].map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
}

/** `src/moost/engine/wf-run.ts` and `src/moost` belong to `moost`; `src/errors` to `errors`. */
function partOf(path: string): string {
  return path.replace(/\.ts$/u, '').split('/')[1] ?? ''
}

/** Comments hold examples, which may import whatever a user may. */
const withoutComments = (file: SourceFile): SourceFile => ({
  ...file,
  text: file.text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, ''),
})

const sources = readFiles('src', '.ts').map(withoutComments)

describe('imports', () => {
  it('flow one way', () => {
    expect(upwardImports(sources)).toEqual([])
  })

  it("never reach into another part's inside: what it shares is in its index", () => {
    expect(deepImports(sources)).toEqual([])
    const deep = { path: 'src/admin/x.ts', text: `import { y } from '../store/rows/y'` }
    expect(deepImports([deep])).toEqual(['src/admin/x.ts imports src/store/rows/y'])
  })

  it('are known for every part', () => {
    const parts = new Set(sources.map(({ path }) => partOf(path)))
    expect([...parts].filter(part => !MAY_IMPORT[part])).toEqual([])
  })

  it('are caught when they go up, in any form', () => {
    const upward = [
      `import { x } from '../trigger'`,
      `import type { X } from '../trigger/x'`,
      `export { x } from '../trigger'`,
      `const x = await import('../trigger')`,
      `import '../trigger'`,
    ]
    for (const text of upward) {
      expect(upwardImports([{ path: 'src/state/x.ts', text }]), text).toEqual([
        'src/state/x.ts imports trigger',
      ])
    }
  })

  it('of a driver stand only in the file that opens it', () => {
    const openedIn = {
      pg: ['src/db/postgres/open-postgres.ts'],
      mysql2: ['src/db/mysql/open-mysql.ts'],
      '@photostructure/sqlite': ['src/db/sqlite/load-sqlite.ts'],
      'node:sqlite': ['src/db/sqlite/load-sqlite.ts'],
      'better-sqlite3': [],
    }
    // It names them to refuse them.
    const others = sources.filter(({ path }) => !path.startsWith('src/plugin/reject-native/'))
    for (const [driver, files] of Object.entries(openedIn)) {
      const naming = others.filter(({ text }) => new RegExp(`'${driver}[/']`, 'u').test(text))
      expect(
        naming.map(({ path }) => path),
        driver,
      ).toEqual(files)
    }
  })

  it('of HTTP are no more than types where a run is controlled', () => {
    const needing = sources.filter(
      ({ path, text }) =>
        path.startsWith('src/run/') &&
        /import (?!type )[^']*'@wooksjs\/(?:event-)?http/u.test(text),
    )
    expect(needing.map(({ path }) => path)).toEqual([])
  })

  it('of the database are no more than types where a run is controlled', () => {
    const needing = sources.filter(
      ({ path, text }) =>
        path.startsWith('src/run/') && /import (?!type )[^']*'\.\.\/db'/u.test(text),
    )
    expect(needing.map(({ path }) => path)).toEqual([])
  })

  it('of public packages that a user may have are never made', () => {
    const optional = /from '(@moostjs\/event-wf|@moostjs\/event-http|@atscript\/db)/u
    expect(sources.filter(({ text }) => optional.test(text))).toEqual([])
  })
})

describe('files', () => {
  it('are named after a concept', () => {
    const vague = /(?:^|\/)(utils|helpers|common|misc)\.ts$/u
    expect(sources.filter(({ path }) => vague.test(path))).toEqual([])
  })

  it('hold one concept, so none is long', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 300)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  it('list their exports by hand', () => {
    expect(sources.filter(({ text }) => /export \* from/u.test(text))).toEqual([])
  })
})
