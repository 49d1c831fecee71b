import { serializeFormSchema, type WfForm } from '@atscript/moost-wf'
import { defineAnnotatedType, deserializeAnnotatedType } from '@atscript/typescript/utils'
import { describe, expect, it } from 'vitest'

/** What the public compiler makes of `@db.http.path '/api/users'` on a table. */
const users = defineAnnotatedType('object')
  .prop(
    'id',
    defineAnnotatedType().designType('string').tags('string').annotate('db.index.plain', []).$type,
  )
  .prop('passwordHash', defineAnnotatedType().designType('string').tags('string').$type)
  .annotate('db.table', 'users')
  .annotate('db.http.path' as never, '/api/users' as never)
  .annotate('meta.label', 'Users').$type
users.id = 'User'

/** A table that no client can reach. */
const audit = defineAnnotatedType('object')
  .prop('id', defineAnnotatedType().designType('string').tags('string').$type)
  .annotate('db.table', 'audit').$type
audit.id = 'Audit'

const keyOf = (table: WfForm) =>
  defineAnnotatedType()
    .refTo(table, ['id'])
    .annotate('db.rel.FK' as never, true as never)
    .annotate('meta.label', 'Owner').$type

const form = defineAnnotatedType('object')
  .prop('owner', keyOf(users))
  .prop('entry', keyOf(audit))
  .prop(
    'team',
    defineAnnotatedType('array').of(
      defineAnnotatedType('object').prop('member', keyOf(users)).$type,
    ).$type,
  ).$type
form.id = 'AssignForm'

const schema = serializeFormSchema(form)
const overTheWire = () => deserializeAnnotatedType(JSON.parse(JSON.stringify(schema)))

/** How a picker of values finds the table of a field. */
function pickerOf(field: WfForm | undefined) {
  const target = field?.ref?.type()
  return { path: target?.metadata.get('db.http.path' as never), field: field?.ref?.field }
}

describe('point 9, a field that refers to another table', () => {
  it('tells a picker where the values are, at any depth', () => {
    const { type } = overTheWire()
    if (type.kind !== 'object') throw new Error('No form came.')
    expect(pickerOf(type.props.get('owner'))).toEqual({ path: '/api/users', field: 'id' })
    const team = type.props.get('team')?.type
    const entry = team?.kind === 'array' ? team.of.type : undefined
    const member = entry?.kind === 'object' ? entry.props.get('member') : undefined
    expect(pickerOf(member)).toEqual({ path: '/api/users', field: 'id' })
  })

  it('keeps what it refers to beside its own annotations', () => {
    expect(schema.type).toMatchObject({
      props: {
        owner: {
          metadata: { 'meta.label': 'Owner' },
          ref: {
            field: 'id',
            type: { id: 'User', metadata: { 'db.http.path': '/api/users', 'meta.label': 'Users' } },
          },
        },
      },
    })
  })

  it('on purpose: tells nothing else about the table, and nothing about one without an address', () => {
    const text = JSON.stringify(schema)
    expect(text).not.toMatch(/passwordHash|db\.table|db\.index|db\.rel|audit/iu)
  })
})
