/** What a spreadsheet would run: a cell that begins like a formula, whatever white space stands before it. */
const RUNS = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/** A line of CSV (RFC 4180). A text that a spreadsheet would run gets an apostrophe in front. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  // A number is none that could be run.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const safe = RUNS.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
