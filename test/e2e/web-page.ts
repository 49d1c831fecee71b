import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { root } from '../support/project'

const WEB = join(root, 'example-app/web')
/** As strict as it gets: nothing inline, nothing from elsewhere. */
const CSP = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
}

type Files = ReadonlyMap<string, string | Uint8Array>
const bundles = new Map<string, Promise<Files>>()

/** Opens a page of the example, such as `index.html`. Requests under `/api` go to the origin itself. */
export async function openWebPage(page: Page, origin: string, name: string): Promise<void> {
  const bundle = bundles.get(name) ?? bundlePage(name)
  bundles.set(name, bundle)
  const files = await bundle
  await page.route(`${origin}/**`, async route => {
    const path = new URL(route.request().url()).pathname.slice(1)
    if (path.startsWith('api/')) return route.continue()
    const body = files.get(path)
    return route.fulfill({
      status: body === undefined ? 204 : 200,
      contentType: TYPES[path.split('.').pop() ?? ''] ?? 'application/octet-stream',
      headers: { 'content-security-policy': CSP },
      body: body === undefined ? undefined : Buffer.from(body),
    })
  })
  await page.goto(`${origin}/${name}`)
}

async function bundlePage(name: string): Promise<Files> {
  const result = await build({
    root: WEB,
    configFile: false,
    // With the warnings of Vue, which fail the tests.
    mode: 'development',
    logLevel: 'warn',
    plugins: [vue()],
    resolve: { alias: { '@atscript/moost-wf/client': join(root, 'src/client/index.ts') } },
    build: { write: false, minify: false, rolldownOptions: { input: join(WEB, name) } },
  })
  const { output } = result as Rolldown.RolldownOutput
  return new Map(
    output.map(file => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
}
