import { AnnotationSpec, type TAnnotationsTree, type TAtscriptPlugin } from '@atscript/core'
import { wfPlugin } from '@atscript/moost-wf/plugin'
import { describe, expect, it } from 'vitest'
import { errorsOf } from '../support/atscript'

const text = (name: string, more = {}) => ({ name, type: 'string' as const, ...more })
const onField = (argument?: AnnotationSpec['config']['argument']) =>
  new AnnotationSpec({ nodeType: ['prop'], multiple: true, mergeStrategy: 'append', argument })

/** The names and argument forms of `@atscript/db/plugin`, which is not on the registry. */
function publicPlugin(more: TAnnotationsTree = {}): TAtscriptPlugin {
  const db: TAnnotationsTree = {
    table: {
      $self: new AnnotationSpec({
        nodeType: ['interface'],
        argument: text('name', { optional: true }),
      }),
      renamed: new AnnotationSpec({ nodeType: ['interface'], argument: text('oldName') }),
    },
    column: { $self: onField(text('name')), collate: onField(text('collation')) },
    index: {
      plain: onField([
        text('name', { optional: true }),
        text('sort', { optional: true, values: ['asc', 'desc'] }),
      ]),
      unique: onField([text('name', { optional: true })]),
      fulltext: onField([text('name', { optional: true })]),
    },
    default: { $self: onField(text('value')), increment: onField(), uuid: onField() },
    json: onField(),
    rel: { FK: onField(text('alias', { optional: true })), to: onField(), from: onField() },
    ...more,
  }
  return { name: 'db', config: () => ({ annotations: { db } }) }
}

const row = (field: string) => `
import { AsWfStateRecord } from '@atscript/moost-wf/store.as'

@db.table
@db.table.renamed 'old_states'
export interface Row extends AsWfStateRecord {
    @meta.id
    @db.default.increment
    id: number

    @db.rel.FK
    @db.column 'owner_id'
    @db.column.collate 'nocase'
    @db.index.plain 'owner_idx', 'desc'
    @db.index.fulltext
    ownerId?: string

    ${field}
}
`

describe.each([
  ['before', (theirs: TAtscriptPlugin) => [theirs, wfPlugin()]],
  ['after', (theirs: TAtscriptPlugin) => [wfPlugin(), theirs]],
])('with the public plugin %s ours', (_, both) => {
  it('every annotation of the public one keeps its own form', async () => {
    expect(await errorsOf(row(''), { plugins: both(publicPlugin()) })).toEqual([])
  })

  it('what only we have is known', async () => {
    const field = `@db.default.now\n    @ui.table.hidden\n    since: number.timestamp`
    expect(await errorsOf(row(field), { plugins: both(publicPlugin()) })).toEqual([])
  })

  it('shadow columns are checked', async () => {
    const plugins = both(publicPlugin())
    const shadow = `@wf.store.fromContext 'path'`
    expect(await errorsOf(row(`${shadow}\n field?: string`), { plugins })).toEqual([])
    expect(await errorsOf(row(`${shadow}\n@db.default 'x'\n field: string`), { plugins })).toEqual(
      [],
    )
    expect(
      await errorsOf(row(`${shadow}\n@db.default.increment\n field: number`), { plugins }),
    ).toEqual([])
    for (const field of ['field?: string[]', 'field: string', '@meta.id\n field?: string']) {
      expect(await errorsOf(row(`${shadow}\n ${field}`), { plugins }), field).toHaveLength(1)
    }
  })

  it('the public rules hold, not ours', async () => {
    const field = `@db.default 'abc'\n    field: number`
    expect(await errorsOf(row(field), { plugins: both(publicPlugin()) })).toEqual([])
  })

  it('a single annotation of theirs survives where ours is a family', async () => {
    const plugins = both(publicPlugin({ default: onField(text('value')) }))
    const field = `@db.default 'abc'\n    field: number`
    expect(await errorsOf(row(field), { plugins })).not.toContain(
      'Unknown annotation "@db.default"',
    )
  })

  it('a family of theirs survives where ours is a single annotation', async () => {
    const plugins = both(publicPlugin({ json: { binary: onField() } }))
    const field = '@db.json.binary\n    field?: string'
    expect(await errorsOf(row(field), { plugins })).toEqual([])
  })
})

describe('our plugin', () => {
  it('adds nothing to a configuration that has it all', async () => {
    const { config } = wfPlugin()
    const first = await config?.({})
    const again = await config?.(first ?? {})
    expect(leaves(again?.annotations)).toEqual([])
    expect(again?.primitives).toEqual({})
  })

  it('joins a single annotation of theirs with our family', async () => {
    const theirs = onField(text('value'))
    const added = await wfPlugin().config?.({ annotations: { db: { default: theirs } } })
    expect(added?.annotations).toMatchObject({ db: { default: { $self: theirs } } })
    expect(leaves(added?.annotations)).toContain('db.default.uuid')
  })

  it('leaves the primitives of theirs alone', async () => {
    const added = await wfPlugin().config?.({ primitives: { unknown: { type: 'string' } } })
    expect(Object.keys(added?.primitives ?? {})).toEqual(['ui'])
  })
})

function leaves(tree: TAnnotationsTree | undefined, prefix = ''): string[] {
  return Object.entries(tree ?? {}).flatMap(([name, value]) =>
    value instanceof AnnotationSpec
      ? [prefix + name]
      : leaves(value as TAnnotationsTree, `${prefix}${name}.`),
  )
}
