import { createHash } from 'node:crypto'
import { escapeHtml } from './escape-html'

/** What the built-in page says, and how it looks. */
export interface WfPageTheme {
  /** The language of the texts. @default 'en' */
  readonly lang?: string | undefined
  /** @default 'Continue here' */
  readonly title?: string | undefined
  /** @default 'Press the button to go on.' */
  readonly text?: string | undefined
  /** @default 'Continue' */
  readonly button?: string | undefined
  /** A CSS colour for the button. @default a calm blue, dark or light */
  readonly accent?: string | undefined
}

/** What a confirm page is about. */
export interface WfConfirmInfo {
  readonly wfid: string
  /** When the link ends, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** The page has a form that posts these fields, as they are, to the address that it came from. */
  readonly fields: Readonly<Record<string, string>>
}

/** A page that is complete in itself: one style, no script, nothing loaded from anywhere. */
export interface Page {
  readonly html: string
  readonly csp: string
}

const TEXTS = {
  lang: 'en',
  title: 'Continue here',
  text: 'Press the button to go on.',
  button: 'Continue',
}
// A colour and nothing else: it becomes part of a style sheet.
const COLOUR = /^[#\w(),.%\s-]{1,64}$/u

/** Asks a person to press a button, which a mail scanner does not do. */
export function confirmPage({ fields }: WfConfirmInfo, theme: WfPageTheme, leadsTo: string): Page {
  const { title = TEXTS.title, text = TEXTS.text, button = TEXTS.button } = theme
  const inputs = Object.entries(fields).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const form = `<form method="post" action="?">${inputs.join('')}<button>${escapeHtml(button)}</button></form>`
  return page(theme, title, `<p>${escapeHtml(text)}</p>${form}`, leadsTo)
}

/** Tells a person how it went. */
export function messagePage(message: string, theme: WfPageTheme): Page {
  return page(theme, message, '')
}

function page(
  { lang = TEXTS.lang, accent }: WfPageTheme,
  title: string,
  content: string,
  leadsTo = `'none'`,
): Page {
  const style = styleSheet(accent !== undefined && COLOUR.test(accent) ? accent : undefined)
  const hash = createHash('sha256').update(style).digest('base64')
  const html =
    `<!doctype html><html lang="${escapeHtml(lang)}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>` +
    `<style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`
  const csp = [
    `default-src 'none'`,
    `style-src 'sha256-${hash}'`,
    `form-action ${leadsTo}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ]
  return { html, csp: csp.join('; ') }
}

function styleSheet(accent: string | undefined): string {
  const [light, dark] = accent === undefined ? ['#2f4bc7', '#a5b4ff'] : [accent, accent]
  return (
    `:root{color-scheme:light dark;--accent:${light};--on-accent:#fff}` +
    `@media(prefers-color-scheme:dark){:root{--accent:${dark};--on-accent:#10131a}}` +
    `body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif}` +
    `main{max-width:26rem;padding:2rem}h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}p{margin:0 0 1.5rem}` +
    `button{font:inherit;font-weight:600;padding:.75rem 1.5rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on-accent);cursor:pointer}` +
    `button:focus-visible{outline:3px solid currentColor;outline-offset:3px}`
  )
}
