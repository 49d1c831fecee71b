import { describe, expect, it } from 'vitest'
import { errorsOf, rowWith } from '../support/atscript'

/** Compiles a row with one shadow column. */
const shadow = (path: string, field: string) =>
  errorsOf(rowWith(`@wf.store.fromContext '${path}'\n    ${field}`))

const DOTS = /is not in dot-notation: write keys joined by single dots, such as 'invite\.email'/u
const INDEX = /goes into an array: keep the value under a key of its own/u
const INHERITED = /is never read from a context: rename the key/u
const PLAIN = /must be a string, a number or a boolean: write '/u

describe('the path of @wf.store.fromContext', () => {
  it.each(['email', 'invite.email', 'a.b.c', '$x._y', 'e-mail', 'größe', 'oauth2.token2'])(
    "may be '%s'",
    async path => {
      expect(await shadow(path, 'field?: string')).toEqual([])
    },
  )

  it.each([
    ['', /the path is empty: write keys of the context joined by dots/u],
    ['.', DOTS],
    ['.email', DOTS],
    ['email.', DOTS],
    ['invite..email', DOTS],
    [' email', DOTS],
    ['invite. email', DOTS],
    ['in vite', DOTS],
    ['items[0]', DOTS],
    ['items[0].name', DOTS],
    ['[email]', DOTS],
    ['items.*', DOTS],
    ['*', DOTS],
    ['items.*.name', DOTS],
    ['a/b', DOTS],
    ['a?.b', DOTS],
    ['items.0', INDEX],
    ['items.0.name', INDEX],
    ['12', INDEX],
    ['__proto__', INHERITED],
    ['user.__proto__.name', INHERITED],
    ['constructor', INHERITED],
    ['user.constructor', INHERITED],
    ['user.prototype.name', INHERITED],
  ])("may not be '%s'", async (path, message) => {
    expect(await shadow(path, 'field?: string')).toEqual([expect.stringMatching(message)])
  })

  it('must be there, and be a text', async () => {
    expect(await errorsOf(rowWith('@wf.store.fromContext\n    field?: string'))).toHaveLength(1)
    expect(await errorsOf(rowWith('@wf.store.fromContext 5\n    field?: string'))).toHaveLength(1)
  })
})

describe('the type of a shadow column', () => {
  it.each([
    'string',
    'number',
    'boolean',
    'string.email',
    'number.int.positive',
    'boolean.required',
    `'open'`,
    `'open' | 'closed'`,
    '1 | 2 | 3',
    `'open' | string`,
    'string & string.email',
    'AsWfStateRecord.createdBy',
  ])('may be %s', async type => {
    expect(await shadow('path', `field?: ${type}`)).toEqual([])
  })

  it.each([
    ['string[]', 'string'],
    ['{ name: string }', 'string'],
    ['[string, string]', 'string'],
    ['string | number', 'string'],
    [`'open' | 1`, 'string'],
    ['string | null', 'string'],
    ['string | string[]', 'string'],
    ['{ a: string } & { b: string }', 'string'],
    ['unknown', 'string'],
    ['null', 'string'],
    ['phantom', 'string'],
    ['decimal', 'number'],
    ['number.timestamp', 'number'],
    ['number.timestamp.created', 'number'],
    ['AsWfStateRecord.expiresAt', 'number'],
    ['AsWfStateRecord.state', 'string'],
    ['AsWfStateRecord', 'string'],
  ])('may not be %s', async (type, instead) => {
    const errors = await shadow('path', `field?: ${type}`)
    expect(errors).toEqual([expect.stringMatching(PLAIN)])
    expect(errors[0]).toContain(`write 'field?: ${instead}'`)
  })

  const aliases = `
export type Email = string.email
export type Role = 'admin' | Other
export type Other = 'guest'
export type Emails = Email[]
export type When = number.timestamp
export type Loop = string | Loop
export interface Person { name: string }
`

  it.each(['Email', 'Role', 'Loop', 'Person.name'])(
    'may be %s, an alias for a plain one, also from another file',
    async type => {
      const row = rowWith(`@wf.store.fromContext 'path'\n    field?: ${type}`)
      const name = type.split('.')[0]
      expect(await errorsOf(aliases + row)).toEqual([])
      expect(
        await errorsOf(`import { ${name} } from './aliases'\n${row}`, {
          files: { 'aliases.as': aliases },
        }),
      ).toEqual([])
    },
  )

  it.each(['Emails', 'When', 'Person'])(
    'may not be %s, an alias for something else, also from another file',
    async type => {
      const row = rowWith(`@wf.store.fromContext 'path'\n    field?: ${type}`)
      const files = { 'aliases.as': aliases }
      expect(await errorsOf(aliases + row)).toEqual([expect.stringMatching(PLAIN)])
      expect(await errorsOf(`import { ${type} } from './aliases'\n${row}`, { files })).toEqual([
        expect.stringMatching(PLAIN),
      ])
    },
  )

  it('is not guessed when it cannot be resolved', async () => {
    expect(await shadow('path', 'field?: Nowhere')).toEqual(['Unknown identifier "Nowhere"'])
  })
})

describe('a shadow column that finds nothing in the context', () => {
  it.each([`@db.default 'x'`, '@db.default.uuid'])('may have %s instead', async annotation => {
    expect(await shadow('path', `${annotation}\n    field: string`)).toEqual([])
  })

  it('must be optional or have a default', async () => {
    expect(await shadow('path', 'field: number')).toEqual([
      expect.stringContaining(`write 'field?: number', or add a @db.default`),
    ])
  })

  it('does not take @meta.default for one, which no database knows', async () => {
    expect(await shadow('path', `@meta.default 'x'\n    field: string`)).toHaveLength(1)
  })
})

describe('@wf.store.fromContext', () => {
  const KEY = /is a @meta\.id, which no workflow may change: annotate another field/u
  const COLUMN = /is not a column: annotate a field of the table's interface itself/u

  it('may not stand on a @meta.id', async () => {
    expect(await shadow('path', `@meta.id\n    field?: string`)).toEqual([
      expect.stringMatching(KEY),
    ])
  })

  it.each([
    ['a nested field', `parent?: {\n @wf.store.fromContext 'path'\n field?: string\n }`],
    ['a field of list items', `list?: {\n @wf.store.fromContext 'path'\n field?: string\n }[]`],
    ['a pattern', `@wf.store.fromContext 'path'\n    [*]?: string`],
  ])('may not stand on %s', async (_, field) => {
    expect(await errorsOf(rowWith(field))).toEqual([expect.stringMatching(COLUMN)])
  })

  it('may not stand on a type or an interface', async () => {
    for (const node of ['type X = string', 'interface X {}']) {
      expect(await errorsOf(`@wf.store.fromContext 'path'\nexport ${node}`)).toHaveLength(1)
    }
  })

  it('may stand in an interface that rows extend besides the record', async () => {
    const mixin = `export interface Mixin {\n @wf.store.fromContext 'path'\n field?: string\n }\n`
    expect(await errorsOf(mixin)).toEqual([])
  })

  it('stays on its field when another field takes over the type', async () => {
    const fields = `@wf.store.fromContext 'path'\n    field?: string\n    other: Row.field`
    expect(await errorsOf(rowWith(fields))).toEqual([])
  })

  describe('in an annotate block', () => {
    const annotated = (field: string, entry: string, target = 'Row') =>
      errorsOf(`${rowWith(field)}\nannotate ${target} {\n    ${entry}\n}\n`)

    it('is fine on a field that may have it', async () => {
      expect(await annotated('field?: string', `@wf.store.fromContext 'path'\n    field`)).toEqual(
        [],
      )
    })

    it('may bring the default along, or get it from the block', async () => {
      const shadowed = `@wf.store.fromContext 'path'`
      const byDefault = `@db.default 'x'`
      expect(await annotated('field: string', `${shadowed}\n${byDefault}\n field`)).toEqual([])
      expect(await annotated(`${shadowed}\n field: string`, `${byDefault}\n field`)).toEqual([])
      expect(await annotated(`${byDefault}\n field: string`, `${shadowed}\n field`)).toEqual([])
    })

    it.each([
      ['a bad path', 'field?: string', `@wf.store.fromContext 'a[0]'\n field`, DOTS],
      ['a bad type', 'field?: string[]', `@wf.store.fromContext 'a'\n field`, PLAIN],
      ['a required field', 'field: string', `@wf.store.fromContext 'a'\n field`, /write 'field\?/u],
      ['the id', '', `@wf.store.fromContext 'a'\n id`, KEY],
      [
        'a nested field',
        'parent?: { field?: string }',
        `@wf.store.fromContext 'a'\n parent.field`,
        COLUMN,
      ],
      ['a field it makes the id', `@wf.store.fromContext 'a'\n x?: string`, `@meta.id\n x`, KEY],
    ])('is refused on %s', async (_, field, entry, message) => {
      expect(await annotated(field, entry)).toEqual([expect.stringMatching(message)])
    })

    it.each(['createdBy', 'lastUpdatedBy', 'handle', 'schemaId', 'expiresAt', 'state', 'version'])(
      'is refused on %s, which the store writes',
      async column => {
        const entry = `@wf.store.fromContext 'a'\n    ${column}`
        expect(await annotated('', entry, 'AsWfStateRecord')).toEqual([
          expect.stringMatching(/is a column of AsWfStateRecord, which the store writes/u),
        ])
      },
    )

    it('is judged by what its own type makes of the field', async () => {
      const entry = `@wf.store.fromContext 'a'\n    @db.default 'x'\n    field`
      expect(await annotated('field: string', entry, 'Row as Other')).toEqual([])
      expect(
        await annotated('field: string', `@wf.store.fromContext 'a'\n field`, 'Row as Other'),
      ).toHaveLength(1)
    })
  })
})
