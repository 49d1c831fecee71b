import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { root } from '../support/project'

/** What a page loads that imports these names, and no others. */
async function loaded(...names: string[]): Promise<{ code: string; bytes: number }> {
  const bundle = await rolldown({
    cwd: root,
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: id => (id === 'page' ? id : undefined),
        load: id =>
          id === 'page'
            ? `export { ${names.join()} } from '${root}/src/client/index.ts'`
            : undefined,
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  expect(output).toHaveLength(1)
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  for (const name of names) expect(code).toContain(name)
  return { code, bytes: gzipSync(code).length }
}

it('the client takes less than 3.8 KB on the wire', async () => {
  const { bytes } = await loaded('createWfClient')
  expect(bytes).toBeLessThan(3800)
})

it('watching takes less than 1.7 KB, and less than 1.3 KB beside the client', async () => {
  const alone = await loaded('watchWf')
  expect(alone.bytes).toBeLessThan(1700)
  const client = await loaded('createWfClient')
  const both = await loaded('createWfClient', 'watchWf')
  expect(both.bytes - client.bytes).toBeLessThan(1300)
})

it('what a page does not use it does not load', async () => {
  const { code } = await loaded('createWfClient')
  expect(code).not.toContain('ui.form.submit.text')
  expect(code).not.toContain('event-stream')
  const watching = await loaded('watchWf')
  expect(watching.code).not.toContain('wfid')
})
