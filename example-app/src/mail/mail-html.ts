import type { MailLink, MailParts } from './mail-text'

/** A colour in a light and in a dark surrounding, as in web/style.css. */
type Colour = readonly [light: string, dark: string]

const both = (property: string, [light, dark]: Colour): string =>
  `${property}:${light};${property}:light-dark(${light},${dark})`
const ink = (colour: Colour): string => both('color', colour)
const fill = (colour: Colour): string => both('background-color', colour)

const PAGE = fill(['#f4f5f8', '#10131a'])
const SURFACE = fill(['#ffffff', '#191d26'])
const LINE = `border:1px solid #dfe3ea;${both('border-color', ['#dfe3ea', '#303745'])}`
const TEXT = ink(['#1a2230', '#e8ebf2'])
const MUTED = ink(['#566173', '#a5afbf'])
const ACCENT: Colour = ['#3b4fc4', '#a3b3ff']
const ON_ACCENT = ink(['#ffffff', '#131a38'])

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const SMALL = `font-size:13px;line-height:20px;${MUTED}`

const STYLES = {
  page: `margin:0;padding:0;${PAGE};${TEXT};${FONT}`,
  preheader: 'display:none;max-height:0;overflow:hidden',
  brand: `padding:0 8px 12px;font-size:15px;font-weight:600;${ink(ACCENT)};${FONT}`,
  card: `padding:28px 24px;border-radius:14px;${LINE};${SURFACE};${FONT}`,
  title: `margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600;overflow-wrap:anywhere;${TEXT}`,
  paragraph: `margin:0 0 14px;font-size:16px;line-height:24px;overflow-wrap:anywhere;${TEXT}`,
  action: 'margin:22px 0 18px',
  button: `display:inline-block;padding:12px 22px;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;border-radius:10px;${fill(ACCENT)};${ON_ACCENT}`,
  written: `margin:0 0 8px;${SMALL}`,
  address: `word-break:break-all;${ink(ACCENT)}`,
  foot: `padding:12px 8px 0;${SMALL};${FONT}`,
}

/**
 * A mail in the looks of the application, whatever it says. Mail programs take tables and inline styles;
 * those that do not know `light-dark()` leave such a declaration out, and show the light colours.
 */
export function mailHtml({ subject, paragraphs, link }: MailParts): string {
  return `<!doctype html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(subject)}</title>
</head>
<body style="${STYLES.page}">
<div style="${STYLES.preheader}">${escape(paragraphs[0] ?? '')}</div>
${table(PAGE)}<tr><td align="center" style="padding:24px 12px">
${table('max-width:560px')}
<tr><td align="left" style="${STYLES.brand}">Workflows</td></tr>
<tr><td align="left" style="${STYLES.card}">
<h1 style="${STYLES.title}">${escape(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${link ? action(link) : ''}
</td></tr>
<tr><td align="left" style="${STYLES.foot}">Sent by the example of @atscript/moost-wf.</td></tr>
</table>
</td></tr></table>
</body>
</html>`
}

const table = (style: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style}">`

/** Its lines stay lines: people write them into comments. */
const paragraph = (text: string): string =>
  `<p style="${STYLES.paragraph}">${escape(text).replaceAll('\n', '<br>')}</p>`

/** A button, and the same link to be read or copied. */
const action = ({ label, url, plainUrl }: MailLink): string =>
  `<p style="${STYLES.action}">${anchor(url, label, STYLES.button)}</p>
${written('If the button does not work, open this link:', url)}
${plainUrl ? written('Without JavaScript:', plainUrl) : ''}`

const written = (about: string, url: string): string =>
  `<p style="${STYLES.written}">${about}<br>${anchor(url, url, STYLES.address)}</p>`

// A window of its own, as mail programs have it.
const anchor = (url: string, label: string, style: string): string =>
  `<a href="${escape(url)}" target="_blank" rel="noopener noreferrer" style="${style}">${escape(label)}</a>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, char => ENTITIES[char] ?? '')
