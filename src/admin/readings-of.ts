type Decode = (text: string) => string

const MOST_READINGS = 128
const MOST_LAYERS = 8

/**
 * A text as whoever looks at it could read it: as it stands, and decoded from what texts are encoded
 * in on their way through URLs, JSON, HTML and mails, also one within the other. `null` if there is
 * no end to it.
 */
export function readingsOf(text: string): readonly string[] | null {
  const readings = new Set([text])
  let newest = [plainLetters(text)]
  for (let layer = 0; newest.length > 0; layer++) {
    for (const reading of newest) readings.add(reading)
    if (layer > MOST_LAYERS || readings.size > MOST_READINGS) return null
    const decoded = newest.flatMap(reading => DECODERS.map(decode => plainLetters(decode(reading))))
    newest = [...new Set(decoded)].filter(reading => !readings.has(reading))
  }
  return [...readings]
}

const percent: Decode = text =>
  text.replace(/(?:%[0-9a-f]{2})+/giu, run =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  )

const escapes: Decode = text =>
  text
    .replace(/\\(?:u\{?([0-9a-f]{4})\}?|x([0-9a-f]{2}))/giu, (_, four, two) => fromHex(four ?? two))
    .replaceAll('\\/', '/')

const ENTITIES = new Map([
  ['amp', '&'],
  ['period', '.'],
  ['lowbar', '_'],
  ['equals', '='],
])

const entities: Decode = text =>
  text.replace(/&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|([a-z]{1,9}));/giu, (all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? all
    return hex === undefined ? String.fromCodePoint(Number(decimal)) : fromHex(hex)
  })

const quotedPrintable: Decode = text =>
  text.replace(/=\r?\n/gu, '').replace(/=([0-9a-f]{2})/giu, (_, hex) => fromHex(hex))

const joinedLines: Decode = text =>
  text
    .split('\n')
    .map(line => line.trim().replace(/^[>\s]+/u, ''))
    .join('')

/** In the one alphabet, in the other, and where a sign of the other stands around it. */
const BASE64 = [/[\w+/-]{16,}/gu, /[\w-]{16,}/gu, /[a-z0-9]{16,}/giu]

const base64: Decode = text =>
  BASE64.flatMap(runs => [...text.matchAll(runs)])
    .map(([run]) => printable(Buffer.from(run, 'base64')))
    .join('\n')
    .trim()

const hex: Decode = text =>
  [...text.matchAll(/(?:[0-9a-f]{2}){8,}/giu)]
    .map(([run]) => printable(Buffer.from(run, 'hex')))
    .join('\n')
    .trim()

const DECODERS = [percent, escapes, entities, quotedPrintable, joinedLines, base64, hex]

function fromHex(digits: string): string {
  return String.fromCodePoint(Number.parseInt(digits, 16))
}

/** Bytes that are a text, as that; whatever else looked like an encoding is none. */
function printable(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return /^[\t\r\n\P{C}]+$/u.test(text) && !text.includes('\u{FFFD}') ? text : ''
}

/** Letters that only look different, dashes of all kinds, and what is not seen at all. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\p{Cf}/gu, '')
}
