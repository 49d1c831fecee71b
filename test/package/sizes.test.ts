import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unpackTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'

const project = new TempProject()
beforeAll(() => unpackTarball(project), 180_000)
afterAll(() => project.remove())

/** What a bundle takes that holds these names of a subpath, minified, and without `jose`. */
async function sizeOf(names: readonly string[], subpath: string): Promise<number> {
  const contents = `export { ${names.join()} } from '@atscript/moost-wf/${subpath}'`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project.folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    external: ['jose'],
  })
  return outputFiles[0]!.contents.length
}

it.each([
  [25, ['EncapsulatedStateStrategy', 'HandleStateStrategy']],
  [85, ['EncapsulatedStateStrategy', 'HandleStateStrategy', 'DurableStateStrategy']],
])('less than %i KB hold %j', async (most, names) => {
  const size = await sizeOf(names, 'strategies')
  process.stdout.write(`${names.join(', ')}: ${(size / 1000).toFixed(1)} KB without jose\n`)
  expect(size).toBeLessThan(most * 1000)
})
