import { type Html, markup } from './html'
import { type Page, page, type WfPageTheme } from './page'

/** What a confirm page is about. */
export interface WfConfirmInfo {
  readonly wfid: string
  /** When the link ends, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** The page has a form that posts these fields, as they are, to the address that it came from. */
  readonly fields: Readonly<Record<string, string>>
}

/** Fields that a form posts and nobody sees; a list is posted as often as it is long. */
export type HiddenFields = Readonly<Record<string, string | readonly string[]>>

/** A way on from a page: to another one, or by posting these fields to where the page came from. */
export type Way =
  | { readonly label: string; readonly href: string }
  | {
      readonly label: string
      readonly fields: HiddenFields
      readonly asks?: AskedText | undefined
    }

/** A text that is typed and posted along. */
export interface AskedText {
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  /** What was wrong with the one that was typed before. */
  readonly wrong?: string | undefined
}

/** What a person is told, and how they can go on. */
export interface Message {
  readonly title: string
  readonly text?: string | undefined
  /** The first one stands out. */
  readonly ways?: readonly Way[] | undefined
  readonly leadsTo?: string | undefined
}

const TITLE = 'Continue here'
const TEXT = 'Press the button to go on.'
const BUTTON = 'Continue'

/** Asks a person to press a button, which a mail scanner does not do. */
export function confirmPage({ fields }: WfConfirmInfo, theme: WfPageTheme, leadsTo: string): Page {
  const { title = TITLE, text = TEXT, button = BUTTON } = theme
  return messagePage({ title, text, ways: [{ label: button, fields }], leadsTo }, theme)
}

/** Tells a person how it went. */
export function messagePage(
  { title, text, ways = [], leadsTo }: Message,
  theme: WfPageTheme,
): Page {
  const content = markup`<h1>${title}</h1>
    ${text !== undefined && markup`<p>${text}</p>`}${ways.length > 0 && markup`<div class="ways">${ways.map(renderWay)}</div>`}`
  return page(theme, { title, content, leadsTo })
}

function renderWay(way: Way, at: number): Html {
  if ('href' in way) {
    return markup`<a class="way${at > 0 && ' other'}" href="${way.href}">${way.label}</a>`
  }
  const button = markup`<button${at > 0 && markup` class="other"`}>${way.label}</button>`
  const asked = way.asks && renderAsked(way.asks)
  return markup`<form method="post" action="?">${hiddenInputs(way.fields)}${asked}${button}</form>`
}

/** A code is of no use to whoever uses the browser next. */
function renderAsked({ name, label, help, wrong }: AskedText): Html {
  const described = [help && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ')
  return markup`<div class="field${wrong && ' has-wrong'}"><label for="${name}">${label}</label>
    ${help && markup`<p class="hint" id="${name}-help">${help}</p>`}${wrong && markup`<p class="wrong" id="${name}-wrong">${wrong}</p>`}
    <input id="${name}" name="${name}" required autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"${described !== '' && markup` aria-describedby="${described}"`}${wrong && markup` aria-invalid="true" autofocus`}></div>`
}

export function hiddenInputs(fields: HiddenFields): Html[] {
  return Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map(value => markup`<input type="hidden" name="${name}" value="${value}">`),
  )
}
