import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
} from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { root } from './project'

// The shell is Chromium without its windows, which take half of the time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const executablePath = process.env.WF_TEST_CHROMIUM || findOnPath() || missingChromium()

/** A `describe` whose tests need a browser. Where there is none it is skipped; with `CI` set it fails. */
export const describeInBrowser = executablePath ? describe : describe.skip

let launched: Promise<Browser> | undefined

/** Test files share a process and its browser, which ends with it. */
function launch(): Promise<Browser> {
  // Playwright's own handler takes its time; when the process exits, it is quick.
  return chromium.launch({
    executablePath: executablePath ?? undefined,
    args: ARGS,
    handleSIGTERM: false,
  })
}

export interface PageOptions extends BrowserContextOptions {
  /** What the page may log as an error: Chromium does so for each status of 400 and more. */
  readonly mayLog?: RegExp
}

/**
 * A page of its own, with its own cookies and storage, in the one browser of this process. When the test
 * ends it fails if the page has thrown, or has logged an error or a warning.
 */
export async function openPage({ mayLog, ...options }: PageOptions = {}): Promise<Page> {
  launched ??= launch()
  const context = await (await launched).newContext({ reducedMotion: 'reduce', ...options })
  const complaints: string[] = []
  context.on('weberror', error => complaints.push(String(error.error())))
  context.on('console', message => {
    if (isComplaint(message) && !mayLog?.test(message.text())) complaints.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints, 'what the page has complained about').toEqual([])
  })
  return context.newPage()
}

/** What a page looks like, as test/artifacts/<name>.png. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(root, 'test/artifacts')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

const isComplaint = (message: ConsoleMessage): boolean =>
  message.type() === 'error' || message.type() === 'warning'

function findOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function missingChromium(): null {
  const message =
    'There is no Chromium, so the tests in a browser are SKIPPED. Install one, or set WF_TEST_CHROMIUM to its path.'
  if (process.env.CI) throw new Error(message)
  process.stderr.write(`\n${'!'.repeat(100)}\n${message}\n${'!'.repeat(100)}\n\n`)
  return null
}
