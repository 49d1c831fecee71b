import { describe, expect, it } from 'vitest'
import { errorsOf, rowWith } from '../support/atscript'
import { blocksOf } from '../support/example'
import { readFile, readFiles } from '../support/project'

const { text } = readFile('docs/schemas.md')
/** The rows of all tables, as the codes in their cells. */
const rows = [...text.matchAll(/^\| (?<cells>.*) \|$/gmu)].map(({ groups }) =>
  (groups?.cells ?? '').split(' | ').map(codesOf),
)

function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code)
}

describe('docs/schemas.md', () => {
  it.each(readFiles('docs', '.md').flatMap(({ path }) => blocksOf(path, 'atscript')))(
    'shows a schema that compiles: %s',
    async schema => {
      expect(await errorsOf(schema)).toEqual([])
    },
  )

  const shadows = rows.filter(([path]) => path?.[0]?.startsWith(`'`))
  it.each(shadows)('quotes the message about the path %s on %s', async (path, field, message) => {
    const fields = [`@wf.store.fromContext ${path?.[0]}`, ...(field ?? [])].join('\n')
    expect(await errorsOf(rowWith(fields))).toEqual([`@wf.store.fromContext: ${message?.[0]}`])
  })

  const annotations = rows.flatMap(([names = []]) => names.filter(name => name.startsWith('@')))
  it.each(annotations)('lists %s as it is written', async name => {
    const annotation = name.replaceAll('?', '').replace('value', '1')
    const onField = (type: string) => `export interface X {\n${annotation}\nfield?: ${type}\n}`
    const places = [onField('string'), onField('number'), `${annotation}\nexport interface X {}`]
    const errors = await Promise.all(places.map(place => errorsOf(place)))
    expect(errors).toContainEqual([])
  })

  it('lists every annotation and every message', () => {
    expect(shadows).toHaveLength(7)
    expect(annotations).toHaveLength(18)
  })
})
