import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowWith } from '../support/atscript'
import { root } from '../support/project'
import { TempProject } from '../support/temp-project'

const CONFIG = `
import typescript from '@atscript/typescript'
import wf from '@atscript/moost-wf/plugin'

export default { rootDir: '.', exclude: ['node_modules/**'], plugins: [typescript(), wf()] }
`

describe('asc, with the plugin as it is built', () => {
  const project = new TempProject()
  const compile = (fields: string, ...args: string[]) => {
    project.write({ 'row.as': rowWith(fields) })
    return project.bin('asc', ...args)
  }

  beforeAll(() => {
    symlinkSync(join(root, 'node_modules'), join(project.folder, 'node_modules'))
    project.write({ 'package.json': '{ "type": "module" }', 'atscript.config.js': CONFIG })
  })

  afterAll(() => project.remove())

  it.each([
    ['path', `@wf.store.fromContext 'items[0]'\n    field?: string`, 'is not in dot-notation'],
    ['type', `@wf.store.fromContext 'items'\n    field?: string[]`, `write 'field?: string'`],
    ['required field', `@wf.store.fromContext 'a'\n    field: string`, 'or add a @db.default'],
    ['key', `@wf.store.fromContext 'a'\n    @meta.id\n    field?: string`, 'is a @meta.id'],
    ['default', `@db.default 'abc'\n    field: number`, 'write a number'],
  ])('fails on a wrong %s, says what to write and writes nothing', (_, fields, message) => {
    const { code, output } = compile(fields, '--noEmit')
    expect(output).toContain(message)
    expect(output).toContain('row.as:')
    expect(code).toBe(1)
    expect(existsSync(join(project.folder, 'row.as.js'))).toBe(false)
  })

  it('compiles a row that obeys the rules', () => {
    const { code, output } = compile(`@wf.store.fromContext 'a'\n    field?: string`, '-f', 'js')
    expect(output).toContain('row.as.js')
    expect(code).toBe(0)
    const script = `
      const { Row } = await import('./row.as.js')
      console.log(Row.type.props.get('field').metadata.get('wf.store.fromContext'))
    `
    expect(project.run('node', '--input-type=module', '-e', script)).toEqual({
      code: 0,
      output: 'a\n',
    })
  })

  it('compiles files that import one another to what plain Node and TypeScript load', () => {
    project.write({
      'kinds/coffee.as': `export type Coffee = 'espresso' | 'flat white'\n`,
      'kinds/cup.as': `import { Coffee } from './coffee'\n\nexport interface Cup {\n    of: Coffee\n}\n`,
      'order.as': `import { Cup } from './kinds/cup'\n\nexport interface Order {\n    cup: Cup\n}\n`,
      'order.ts': `
        import { Order } from './order.as.js'
        const order = new Order()
        // @ts-expect-error not one of the coffees
        order.cup.of = 'tea'
      `,
    })
    expect(project.bin('asc', '-f', 'js')).toMatchObject({ code: 0 })
    const script = `
      const { Order } = await import('./order.as.js')
      const { type } = Order.type.props.get('cup').type.props.get('of')
      console.log(type.items.map(item => item.type.value).join())
    `
    expect(project.run('node', '--input-type=module', '-e', script)).toEqual({
      code: 0,
      output: 'espresso,flat white\n',
    })
    expect(project.bin('asc', '-f', 'dts')).toMatchObject({ code: 0 })
    for (const options of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']]) {
      const strict = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node']
      const { code, output } = project.bin('tsc', ...strict, '--module', ...options, 'order.ts')
      expect({ code, output }).toEqual({ code: 0, output: '' })
    }
  })
})
