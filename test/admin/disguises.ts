/** Ways in which a link comes to stand in a text. */
export const DISGUISES: readonly [name: string, (token: string) => string][] = [
  ['as it is', token => token],
  ['in a sentence', token => `Please use (${token}), or [${token}].`],
  ['in a link', token => linkTo(token)],
  ['in a path', token => `/accept/${token}/now#top`],
  ['in a link in a link', token => `https://x.example/?to=${encodeURIComponent(linkTo(token))}`],
  ['percent-encoded', token => bytesOf(token, byte => `%${byte}`)],
  ['percent-encoded, with rubbish', token => `${bytesOf(token, byte => `%${byte}`)}%20%FF`],
  ['percent-encoded twice', token => bytesOf(token, byte => `%25${byte}`)],
  ['in JSON', token => JSON.stringify({ link: linkTo(token) })],
  ['escaped', token => bytesOf(token, byte => `\\u00${byte}`)],
  ['escaped shortly', token => bytesOf(token, byte => `\\x${byte}`)],
  ['in HTML', token => `<a href="https://x.example/?a=1&amp;wfs=${token}">here</a>`],
  ['in entities', token => bytesOf(token, byte => `&#x${byte};`)],
  ['in decimal entities', token => charactersOf(token, code => `&#${code};`)],
  ['quoted-printable', token => `see https://x.example/?wfs=3D${cut(token, '=\r\n')} or call`],
  ['on two lines', token => cut(token, '\n')],
  ['on two lines of a reply', token => `> ${cut(token, '\r\n> ')}`],
  ['in base64', token => Buffer.from(`Open ${linkTo(token)}`).toString('base64')],
  ['in base64url', token => Buffer.from(linkTo(token)).toString('base64url')],
  ['in a data URL', token => `data:text/plain;base64,${btoa(linkTo(token))}`],
  ['in the base64 of a mail', token => cut(btoa(`Dear all, ${linkTo(token)}`), '\r\n')],
  ['in hex', token => Buffer.from(linkTo(token)).toString('hex')],
  ['in a cookie', token => `wfs=${encodeURIComponent(token)}; Path=/; HttpOnly`],
  ['in a header', token => `Bearer ${token}`],
  ['with soft hyphens', token => [...token].join('\u{AD}')],
  ['with invisible spaces', token => [...token].join('\u{200B}')],
  ['with dashes of print', token => token.replaceAll('-', '–')],
  ['in wide letters', token => charactersOf(token, code => String.fromCodePoint(code + 0xfe_e0))],
]

const linkTo = (token: string) => `https://app.example/accept?wfs=${encodeURIComponent(token)}&a=1`

const cut = (text: string, by: string) => text.slice(0, 19) + by + text.slice(19)

const bytesOf = (text: string, write: (byte: string) => string) =>
  charactersOf(text, code => write(code.toString(16).padStart(2, '0')))

const charactersOf = (text: string, write: (code: number) => string) =>
  [...text].map(character => write(character.codePointAt(0)!)).join('')
