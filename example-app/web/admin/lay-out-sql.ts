const CLAUSES = / (from|where|order by|limit|offset) /gu

/** A statement with each clause on a line of its own. Quoted names are no clauses. */
export function layOutSql(text: string): string {
  return text
    .split(/("[^"]*"|`[^`]*`|'[^']*')/u)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(CLAUSES, '\n$1 ') : part))
    .join('')
}
