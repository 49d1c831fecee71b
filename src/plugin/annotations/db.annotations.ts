import { AnnotationSpec, type TAnnotationsTree } from '@atscript/core'
import { fitsField, isString, isTime } from '../rules/default.rule'
import { isPlainName } from '../rules/identifier.rule'
import { obeying } from '../rules/rule'

/** The `@db.*` annotations that our tables know, with the names and values of `@atscript/db`. */
export const dbAnnotations: TAnnotationsTree = {
  table: new AnnotationSpec({
    description: 'Makes an interface a table.',
    nodeType: ['interface'],
    argument: { name: 'name', type: 'string', description: 'Name of the table in the database.' },
    validate: obeying(isPlainName),
  }),
  index: {
    plain: index('Indexes the column.'),
    unique: index('Lets each value of the column occur once.'),
    sparse: index('Indexes the rows that have a value in the column.'),
  },
  default: {
    $self: new AnnotationSpec({
      description: 'The value that a row gets when it is inserted without one.',
      nodeType: ['prop'],
      passedWhenReferred: false,
      argument: { name: 'value', type: 'string', description: 'Text, a number, or true or false.' },
      validate: obeying(fitsField),
    }),
    uuid: new AnnotationSpec({
      description: 'A random UUID for each new row.',
      nodeType: ['prop'],
      passedWhenReferred: false,
      validate: obeying(isString),
    }),
    now: new AnnotationSpec({
      description: 'The time of the insertion, in milliseconds since the epoch.',
      nodeType: ['prop'],
      passedWhenReferred: false,
      validate: obeying(isTime),
    }),
  },
  json: new AnnotationSpec({
    description: 'Keeps the value as JSON in one column.',
    nodeType: ['prop'],
    passedWhenReferred: false,
  }),
}

function index(description: string): AnnotationSpec {
  return new AnnotationSpec({
    description,
    nodeType: ['prop'],
    multiple: true,
    mergeStrategy: 'append',
    passedWhenReferred: false,
    argument: [
      {
        name: 'name',
        type: 'string',
        optional: true,
        description: 'Name of the index. Columns that share one form a composite index.',
      },
    ],
    validate: obeying(isPlainName),
  })
}
