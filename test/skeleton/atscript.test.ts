import { expect, it } from 'vitest'
import { Greeting } from '../fixtures/schemas/greeting.as'

it('compiles .as files on the way into a test', () => {
  expect(Greeting.validator().validate({ name: 'Ada' })).toBe(true)
  expect(Greeting.validator().validate({ name: 1 }, true)).toBe(false)
  expect(Greeting.type.props.get('name')?.metadata.get('meta.label')).toBe('Your name')
})
