const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A piece of a page. Only {@link markup} makes one, so whatever is in it was escaped. */
export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  static of(parts: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(String.raw({ raw: parts }, ...values.map(textOf)))
  }

  toString(): string {
    return this.#text
  }
}

/** What can stand in a piece of a page. What is neither a text nor a piece is left out. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/** Writes HTML: every text in it is escaped, for content and for quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.of(parts.raw, values)
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return value.map(textOf).join('')
  return typeof value === 'string' || typeof value === 'number' ? escapeHtml(String(value)) : ''
}

function escapeHtml(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replaceAll(/[&<>"']/gu, each => ENTITIES[each] ?? '')
}
