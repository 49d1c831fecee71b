import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, NodeResult, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

interface WithAxe {
  readonly axe: { run(options: RunOptions): Promise<AxeResults> }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong with a page: rule, element, and what to do. */
export const accessibilityProblems = (page: Page): Promise<string[]> => problems(page)

/** The same for what another colour scheme can change, when all else has been looked at. */
export const colorProblems = (page: Page): Promise<string[]> =>
  problems(page, { runOnly: ['color-contrast', 'link-in-text-block'] })

async function problems(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  const { violations, incomplete } = await page.evaluate(
    given => (globalThis as unknown as WithAxe).axe.run(given),
    { ancestry: true, resultTypes: ['violations', 'incomplete'], ...options } satisfies RunOptions,
  )
  // Contrast that could not be computed counts: a pass that nobody has measured is none.
  const unsure = incomplete.filter(({ id }) => id === 'color-contrast')
  return [...violations, ...unsure].flatMap(({ id, nodes }) =>
    nodes
      .filter(node => !isLineOfDialog(node))
      .map(node => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}

/**
 * axe looks through a modal dialog, and gives up when two lines of a text in it have different things
 * of the page behind them. The dialog is opaque, and its one-line texts are measured.
 */
const isLineOfDialog = ({ any, ancestry = [] }: NodeResult): boolean =>
  ancestry.join(' ').includes('> dialog') &&
  any.some(
    ({ data }) => (data as { messageKey?: string } | null)?.messageKey === 'elmPartiallyObscuring',
  )
