import { createHash } from 'node:crypto'
import { type Html, markup } from './html'
import type { WfPageTexts } from './page-texts'

/** What the built-in pages say, and how they look. */
export interface WfPageTheme {
  /** The language of the texts. @default 'en' */
  readonly lang?: string | undefined
  /** @default 'Continue here', or the label of the form */
  readonly title?: string | undefined
  /** @default 'Press the button to go on.' */
  readonly text?: string | undefined
  /** @default 'Continue' */
  readonly button?: string | undefined
  /** A CSS colour for the button, on which white can be read. @default a calm blue, dark or light */
  readonly accent?: string | undefined
  /** The other texts, all of them or some. @default English */
  readonly texts?: Partial<WfPageTexts> | undefined
}

/** A page that is complete in itself: one style, no script, nothing loaded from anywhere. */
export interface Page {
  readonly html: string
  readonly csp: string
}

interface PageContent {
  /** Of the window; what is written above the page may be shorter. */
  readonly title: string
  readonly content: Html
  /** Where the forms of the page may lead to. @default nowhere */
  readonly leadsTo?: string | undefined
}

// A colour and nothing else: it becomes part of a style sheet.
const COLOUR = /^[#\w(),.%\s-]{1,64}$/u

export function page(
  { lang = 'en', accent }: WfPageTheme,
  { title, content, leadsTo = `'none'` }: PageContent,
): Page {
  const { element, hash } = styleOf(accent !== undefined && COLOUR.test(accent) ? accent : '')
  // The style is ours, and must be as it was hashed.
  const start = markup`<!doctype html><html lang="${lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>`
  const end = markup`</head><body><main>${content}</main></body></html>`
  const csp = [
    `default-src 'none'`,
    `style-src 'sha256-${hash}'`,
    `form-action ${leadsTo}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ]
  return { html: `${start}${element}${end}`, csp: csp.join('; ') }
}

const styles = new Map<string, { readonly element: string; readonly hash: string }>()

/** Made once per colour. The policy of a page allows this style, by its hash, and no other. */
function styleOf(accent: string) {
  const made = styles.get(accent)
  if (made) return made
  const sheet = styleSheet(accent)
  const hash = createHash('sha256').update(sheet).digest('base64')
  const style = { element: `<style>${sheet}</style>`, hash }
  styles.set(accent, style)
  return style
}

function styleSheet(accent: string): string {
  const [light, dark, onDark] =
    accent === '' ? ['#2f4bc7', '#a5b4ff', '#10131a'] : [accent, accent, '#fff']
  return `
:root{color-scheme:light dark;--accent:${light};--on-accent:#fff;--ink:#1c1f26;--soft:#575d6b;--line:#7a8190;--paper:#fff;--wrong:#b3261e}
@media(prefers-color-scheme:dark){:root{--accent:${dark};--on-accent:${onDark};--ink:#eceef2;--soft:#b0b6c3;--line:#868d9c;--paper:#14161b;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
main{width:100%;max-width:32rem;padding:2rem 1.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem;text-wrap:balance}
h2{font-size:1.125rem;margin:0 0 .5rem}
p{margin:0 0 1.5rem}
form{margin:0}
.field,fieldset{margin:0 0 1.5rem;padding:0;border:0;min-width:0}
.field label,legend{display:block;font-weight:600;padding:0}
fieldset fieldset legend,.group .field label{font-size:1rem}
.group{padding-left:1rem;border-left:.1875rem solid var(--line)}
.group>legend{float:left;width:100%;margin-bottom:.75rem}.group>legend+*{clear:both}
.optional{font-weight:400;color:var(--soft)}
.hint{margin:0;color:var(--soft);font-size:.9375rem}
.wrong{margin:0;color:var(--wrong);font-weight:600;font-size:.9375rem}
.has-wrong{padding-left:.875rem;border-left:.25rem solid var(--wrong)}
input:not([type=checkbox],[type=radio]),select,textarea{display:block;width:100%;font:inherit;color:inherit;background:var(--paper);padding:.5625rem .75rem;margin-top:.375rem;border:1px solid var(--line);border-radius:.5rem}
textarea{min-height:7rem;resize:vertical}
[aria-invalid=true]:not([type=checkbox],[type=radio]){border:2px solid var(--wrong)}
.pick{display:flex;gap:.75rem;align-items:flex-start;padding:.375rem 0}
.pick label{font-weight:400;flex:1;cursor:pointer}
.pick input{flex:none;width:1.375rem;height:1.375rem;margin:.0625rem 0 0;accent-color:var(--accent)}
.told{margin:0 0 1.5rem;padding:.875rem 1rem;border:1px solid var(--line);border-radius:.5rem}
.told div+div{margin-top:.5rem}
dt{color:var(--soft);font-size:.9375rem}dd{margin:0;white-space:pre-line}
.summary{margin:0 0 1.5rem;padding:1rem 1.125rem;border:.1875rem solid var(--wrong);border-radius:.5rem}
.summary ul{margin:0;padding-left:1.125rem}.summary p:last-child{margin:0}.summary a{color:var(--wrong);font-weight:600}
.message{padding:.75rem 1rem;border-left:.25rem solid var(--accent)}
.ways{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
button,.way{font:inherit;font-weight:600;padding:.6875rem 1.375rem;border:2px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on-accent);cursor:pointer;text-decoration:none;display:inline-block}
.other{background:none;color:inherit;border-color:var(--line)}
a{color:inherit}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
button:focus-visible,.way:focus-visible{outline-color:currentColor;outline-offset:3px}
@media(max-width:26rem){.ways,.ways form{width:100%}.ways button,.ways .way{width:100%;text-align:center}}`
}
