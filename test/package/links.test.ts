import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { readFile, readFiles, root, type SourceFile } from '../support/project'
import { TempProject } from '../support/temp-project'

const pages = [readFile('README.md'), readFile('SECURITY.md'), ...readFiles('docs', '.md')]

/** What is packed, by its path in the package. */
function packedFiles(): ReadonlySet<string> {
  const project = new TempProject()
  const { output } = project.run('npm', 'pack', '--dry-run', '--json', '--silent', root)
  project.remove()
  const [{ files } = { files: [] }] = JSON.parse(output) as { files: { path: string }[] }[]
  return new Set(files.map(({ path }) => path))
}

/** The relative links of a page, as the path and the heading that they lead to. */
function linksOf({ path, text }: SourceFile) {
  const links = text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/gu)
  return [...links].map(([, target = '', heading]) => ({
    from: path,
    to: target === '' ? path : normalize(join(dirname(path), target)),
    heading,
  }))
}

/** The headings of a page, as links name them. */
function headingsOf(path: string): string[] {
  const headings = readFile(path).text.matchAll(/^#+ (.+)$/gmu)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it('every link between the pages leads to a page that is packed, and to a heading of it', () => {
  const packed = packedFiles()
  const links = pages.flatMap(linksOf)
  expect(links.length).toBeGreaterThan(50)
  const broken = links.filter(({ to, heading }) => {
    const isThere = packed.has(to) || [...packed].some(path => path.startsWith(`${to}/`))
    return !isThere || (heading !== undefined && !headingsOf(to).includes(heading))
  })
  expect(broken).toEqual([])
})
