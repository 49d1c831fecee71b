import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readFile, readFiles } from '../support/project'

/** What a controller, a step and a start-up file import. */
const MOST_NAMES_OF_THE_ROOT = 95

function exportsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFile(path).text, ts.ScriptTarget.Latest)
  return source.statements.flatMap(statement =>
    ts.isExportDeclaration(statement) &&
    statement.exportClause &&
    ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  )
}

/** Names that the root still has for one version, with the subpath that they have moved to. */
const moved = new Map(
  [
    ...readFile('src/moved-names.ts').text.matchAll(
      /@deprecated Import it from `@atscript\/moost-wf\/(\w+)`\. \*\/\nexport (?:type|const) (\w+)/gu,
    ),
  ].map(([, subpath = '', name = '']) => [name, subpath]),
)

describe('the root', () => {
  it('is small, beside what has moved', () => {
    const kept = exportsOf('src/index.ts').filter(name => !moved.has(name))
    expect(kept.length).toBeLessThanOrEqual(MOST_NAMES_OF_THE_ROOT)
    expect(moved.size).toBeGreaterThan(60)
  })

  it('still has every name that has moved', () => {
    const root = new Set(exportsOf('src/index.ts'))
    expect([...moved.keys()].filter(name => !root.has(name))).toEqual([])
  })

  it('is not asked in the docs for what has moved', () => {
    const pages = [readFile('README.md'), ...readFiles('docs', '.md'), ...readFiles('src', '.ts')]
    const imports = /import (?:type )?\{([^}]*)\} from '@atscript\/moost-wf'/gu
    const outdated = pages.flatMap(({ path, text }) =>
      [...text.matchAll(imports)].flatMap(([, names = '']) =>
        names
          .split(/[\s,*]+/u)
          .filter(name => moved.has(name))
          .map(name => `${path}: ${name}`),
      ),
    )
    expect(outdated).toEqual([])
  })

  it('has told in the changelog where each has gone', () => {
    const { text } = readFile('CHANGELOG.md')
    expect([...moved.keys()].filter(name => !text.includes(`\`${name}\``))).toEqual([])
  })
})
