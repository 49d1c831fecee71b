import { describe, expect, it } from 'vitest'
import { errorsOf, rowWith } from '../support/atscript'

describe('@db.table', () => {
  const table = (name: string) => errorsOf(`@db.table ${name}\nexport interface T { id: string }`)

  const NAME = /write up to 63 letters, digits and underscores, such as 'wf_states'/u

  it.each([`'wf_states'`, `'_wfStates2'`, `'${'x'.repeat(63)}'`])(
    'may be called %s',
    async name => {
      expect(await table(name)).toEqual([])
    },
  )

  it.each([
    `''`,
    `' wf'`,
    `"it's"`,
    `'wf"x'`,
    "'wf`x'",
    `'wf\u0000x'`,
    `'public.wf'`,
    `'2wf'`,
    `'größe'`,
    `'${'x'.repeat(64)}'`,
  ])('may not be called %s', async name => {
    expect(await table(name)).toEqual([expect.stringMatching(NAME)])
  })

  it('needs a name and stands on an interface', async () => {
    expect(await table('')).toHaveLength(1)
    expect(await errorsOf(`@db.table 'x'\nexport type T = string`)).toHaveLength(1)
  })
})

describe('@db.index', () => {
  it('may be there several times, with and without a name', async () => {
    const field = `@db.index.plain\n@db.index.plain 'a'\n@db.index.unique 'b'\n@db.index.unique\nfield: string`
    expect(await errorsOf(rowWith(field))).toEqual([])
  })

  it.each(['plain', 'unique'])('%s needs a name that every database takes', async kind => {
    expect(await errorsOf(rowWith(`@db.index.${kind} 'a"b'\nfield: string`))).toEqual([
      expect.stringMatching(/write up to 63 letters/u),
    ])
  })
})

describe('@db.default', () => {
  const withDefault = (annotation: string, type: string) =>
    errorsOf(rowWith(`@db.default${annotation}\n    field: ${type}`))

  it.each([
    [` ''`, 'string'],
    [` 'abc'`, 'string'],
    [` 'open'`, `'open' | 'closed'`],
    [` '0'`, 'number'],
    [` '-1.5e3'`, 'number'],
    [` '2'`, '1 | 2'],
    [` '0'`, 'number.timestamp'],
    [` '1.10'`, 'decimal'],
    [` 'true'`, 'boolean'],
    [` 'false'`, 'boolean'],
    ['.uuid', 'string'],
    ['.uuid', 'string.uuid'],
    ['.now', 'number'],
    ['.now', 'number.timestamp'],
  ])('%s fits %s', async (annotation, type) => {
    expect(await withDefault(annotation, type)).toEqual([])
  })

  it.each([
    [` 'abc'`, 'number', /'abc' does not fit 'field': write a number, such as '0'/u],
    [` ''`, 'number', /write a number/u],
    [` '0x10'`, 'number', /write a number/u],
    [` 'Infinity'`, 'number', /write a number/u],
    [` '1e999'`, 'number', /write a number/u],
    [` 'abc'`, 'decimal', /write a number/u],
    [` '1.5'`, 'number.int', /write an integer/u],
    [` '1e3'`, 'number.timestamp', /write an integer/u],
    [` '9007199254740993'`, 'number.int', /write an integer/u],
    [` 'yes'`, 'boolean', /is a boolean: write 'true' or 'false'/u],
    [` '1'`, 'boolean', /write 'true' or 'false'/u],
    [` 'ajar'`, `'open' | 'closed'`, /write one of open, closed/u],
    [` '[]'`, 'string[]', /make it optional instead/u],
    [` 'a'`, 'string | number', /make it optional instead/u],
    ['.uuid', 'number', /gets a text: write 'field: string'/u],
    ['.uuid', `'a' | 'b'`, /gets a text/u],
    ['.now', 'string', /gets milliseconds: write 'field: number\.timestamp'/u],
    ['.now', '1 | 2', /gets milliseconds/u],
  ])('%s does not fit %s', async (annotation, type, message) => {
    expect(await withDefault(annotation, type)).toEqual([expect.stringMatching(message)])
  })

  it('is checked in an annotate block too', async () => {
    const block = `annotate Row {\n    @db.default 'abc'\n    field\n}`
    expect(await errorsOf(`${rowWith('field: number')}\n${block}`)).toHaveLength(1)
  })
})
