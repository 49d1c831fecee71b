import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type DocumentedSection, sectionsOf } from '../support/documented-project'
import { blocksOf } from '../support/example'
import { freePort } from '../support/free-port'
import { packTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'

const PAGE = 'docs/set-up.md'
const sections = sectionsOf(PAGE)
const section = (heading: string): DocumentedSection => {
  const found = sections.get(heading)
  if (!found) throw new Error(`${PAGE} has no section "${heading}".`)
  return found
}
const INSTALL = section('Install')
const APPLICATION = section('The application')
const NODE = section('Run it with plain Node')
const VITE_NODE = section('Run it with vite-node')
const VITEST = section('Test it with vitest')
const PLUGIN = section('Let vite compile the schemas')

/** The packages that the install lines of a section name. */
const packagesOf = ({ commands }: DocumentedSection): string[] =>
  commands
    .filter(command => command.startsWith('npm install '))
    .flatMap(command => command.split(' ').slice(2))
    .filter(word => !word.startsWith('--'))

// One application, set up as the page says; each way of running it adds to the same folder.
describe.sequential('the application of docs/set-up.md, with the packed package', () => {
  const project = new TempProject()
  const script = (command: string) => {
    const [npm = '', ...args] = command.split(' ')
    return project.run(npm, ...args)
  }
  const install = (...packages: string[]) =>
    expect(
      project.run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...packages),
    ).toMatchObject({ code: 0 })

  /** Starts the application by a command of the page, and orders a coffee as the page does. */
  async function orderCoffee(command: string): Promise<void> {
    const port = await freePort()
    const [npm = '', ...args] = command.split(' ')
    const app = project.start(npm, args, { PORT: String(port) })
    await vi.waitFor(
      () => {
        if (app.hasEnded()) throw new Error(app.output())
        expect(app.output()).toContain(`http://127.0.0.1:${port}/api/wf`)
      },
      { timeout: 30_000, interval: 50 },
    )
    let wfs = ''
    const [console = ''] = blocksOf(PAGE, 'console')
    const exchanges = [...console.matchAll(/-d '(.*)'\n(.*)\n/gu)]
    expect(exchanges).toHaveLength(2)
    for (const [, sent = '', shown = ''] of exchanges) {
      const response = await fetch(`http://127.0.0.1:${port}/api/wf`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...JSON.parse(sent), ...(sent.includes('wfs') && { wfs }) }),
      })
      const answer = (await response.json()) as { wfs: string }
      wfs = answer.wfs
      const expected = JSON.parse(shown.replace('{…}', '{}')) as object
      expect(answer).toMatchObject({ ...expected, ...('wfs' in expected && { wfs }) })
    }
  }

  beforeAll(() => {
    project.write({ ...INSTALL.files, ...APPLICATION.files, ...NODE.files })
    const [own = '', ...others] = packagesOf(INSTALL)
    expect(own).toMatch(/^@atscript\/moost-wf@/u)
    install(packTarball(project), ...others)
  }, 120_000)
  afterAll(() => project.remove())

  it('is built and started with plain Node', async () => {
    const [build = '', start = ''] = NODE.commands[0]?.split(' && ') ?? []
    expect(script(build)).toMatchObject({ code: 0 })
    await orderCoffee(start)
  })

  it('runs with vite-node', async () => {
    install(...packagesOf(VITE_NODE), ...packagesOf(VITEST), ...packagesOf(PLUGIN))
    await orderCoffee(VITE_NODE.commands.at(-1) ?? '')
  })

  it('is tested with vitest, and type-checked', () => {
    project.write(VITEST.files)
    expect(script(VITEST.commands.at(-1) ?? '')).toMatchObject({ code: 0 })
    // With what the page says may be on as well.
    const stricter = '--exactOptionalPropertyTypes --noUncheckedIndexedAccess'
    expect(script(`npm run check --silent -- ${stricter}`)).toMatchObject({ code: 0 })
  })

  describe('with vite compiling the schemas', () => {
    const source = (name: string) => join(project.folder, name)

    beforeAll(() => {
      project.write(PLUGIN.files)
      for (const name of ['src/app.ts', 'src/orders.ts']) {
        const text = readFileSync(source(name), 'utf8')
        project.write({ [name]: text.replaceAll('.as.js', '.as') })
      }
      const { compilerOptions, ...config } = JSON.parse(INSTALL.files['tsconfig.json'] ?? '') as {
        compilerOptions: object
      }
      const resolving = { module: 'esnext', moduleResolution: 'bundler' }
      const options = { ...compilerOptions, ...resolving }
      project.write({ 'tsconfig.json': JSON.stringify({ ...config, compilerOptions: options }) })
      for (const name of readdirSync(source('schemas'))) {
        if (name.endsWith('.as.js')) rmSync(source(`schemas/${name}`))
      }
    })

    it('runs with vite-node', () => orderCoffee('npx vite-node src/main.ts'))

    it('is tested with vitest, and type-checked', () => {
      expect(project.bin('vitest', 'run')).toMatchObject({ code: 0 })
      expect(project.bin('tsc')).toEqual({ code: 0, output: '' })
    })

    it('does not run with vite-node where dependencies are discovered, as the page says', () => {
      const config = PLUGIN.files['vite.config.ts'] ?? ''
      project.write({ 'vite.config.ts': config.replace('noDiscovery: true', '') })
      const { code, output } = project.bin('vite-node', 'src/main.ts')
      expect(output).toMatch(/ViteNodeServer: .* not found\. This is a bug, please report it/u)
      expect(code).toBe(1)
    })
  })

  it('runs as it was deployed, without the sources and what is for development', async () => {
    expect(project.bin('asc', '-f', 'js')).toMatchObject({ code: 0 })
    const sources = readdirSync(join(project.folder, 'schemas')).filter(
      name => !name.endsWith('.as.js'),
    )
    for (const name of ['src', 'test', ...sources.map(source => `schemas/${source}`)]) {
      rmSync(join(project.folder, name), { recursive: true })
    }
    const pruned = project.run('npm', 'prune', '--omit=dev', '--no-audit', '--no-fund')
    expect(pruned).toMatchObject({ code: 0 })
    await orderCoffee('npm start')
  })
})
