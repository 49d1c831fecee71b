import type { TWorkflowSchema } from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../src/moost/engine/compile-schema'
import { describeSchema } from '../../src/moost/engine/describe-schema'

const shape = (schema: TWorkflowSchema<unknown>, prefix = '') =>
  describeSchema('flow', compileSchema(schema), prefix).shape

describe('the shape of a workflow', () => {
  it('does not look at the source of a condition', () => {
    const one = shape([{ id: 'a', condition: ctx => Boolean(ctx) }])
    expect(shape([{ id: 'a', condition: 'x > 1' }])).toBe(one)
  })

  it('does not depend on how a step id is spelled', () => {
    expect(shape(['/auth/a'])).toBe(shape(['a'], 'auth'))
    expect(shape(['a'])).toBe(shape([{ id: 'a' }]))
  })

  it('differs for every edit that moves, adds, removes or renames', () => {
    const schemas: TWorkflowSchema<unknown>[] = [
      [],
      ['a'],
      ['b'],
      ['a', 'b'],
      ['b', 'a'],
      [{ steps: ['a', 'b'] }],
      [{ steps: ['a'] }, 'b'],
      [{ id: 'a', condition: 'true' }, 'b'],
      [{ condition: 'true', steps: ['a', 'b'] }],
      [{ while: 'true', steps: ['a', 'b'] }],
      [{ while: 'true', condition: 'true', steps: ['a', 'b'] }],
      ['a', { break: 'true' }, 'b'],
      ['a', { continue: 'true' }, 'b'],
    ]
    expect(new Set(schemas.map(schema => shape(schema))).size).toBe(schemas.length)
  })
})
