import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, NodeResult } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong with a page: rule, element, and what to do. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const { violations, incomplete } = (await page.evaluate(
    'axe.run(document, { ancestry: true })',
  )) as AxeResults
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
