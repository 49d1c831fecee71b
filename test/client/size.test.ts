import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { root } from '../support/project'

const LIMIT_BYTES = 3000

async function minified(): Promise<{ code: string; imports: string[] }> {
  const bundle = await rolldown({ input: join(root, 'src/client/index.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  expect(output).toHaveLength(1)
  return output[0]
}

it('all of the client takes less than 3 KB on the wire', async () => {
  const { code, imports } = await minified()
  expect(imports).toEqual([])
  expect(code).toContain('createWfClient')
  expect(code).toContain('describeForm')
  expect(gzipSync(code).length).toBeLessThan(LIMIT_BYTES)
})
