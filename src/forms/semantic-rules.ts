/** One `@expect.pattern`, as it was written. */
export interface PatternRule {
  readonly pattern: string
  readonly flags?: string
  readonly message?: string
}

/** Annotations by their name, as the compiler writes them. */
type Rules = Readonly<Record<string, unknown>>

const pattern = (source: string, flags: string, message: string): Rules => {
  const rule: PatternRule = { pattern: source, flags, message }
  return { 'expect.pattern': [rule] }
}

const range = (minValue: number, maxValue: number): Rules => ({
  'expect.min': { minValue },
  'expect.max': { maxValue },
})

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d{2}|[1-9]\\d|\\d)'
const IPV4 = `(${OCTET}\\.){3}${OCTET}`
const GROUP = '[0-9a-fA-F]{1,4}'
const IPV6 = `(${[
  `(${GROUP}:){7}${GROUP}`,
  `(${GROUP}:){1,7}:`,
  `(${GROUP}:){1,6}:${GROUP}`,
  `(${GROUP}:){1,5}(:${GROUP}){1,2}`,
  `(${GROUP}:){1,4}(:${GROUP}){1,3}`,
  `(${GROUP}:){1,3}(:${GROUP}){1,4}`,
  `(${GROUP}:){1,2}(:${GROUP}){1,5}`,
  `${GROUP}:((:${GROUP}){1,6})`,
  `:((:${GROUP}){1,7}|:)`,
].join('|')})`

/**
 * What atscript's own types ask of a value, by the tag that stands for them: `string.email` is tagged
 * `email`. The compiler writes the rules down for a field, and forgets them inside of lists, tuples
 * and unions; the tag is everywhere.
 */
const RULES: ReadonlyMap<string, Rules> = new Map([
  ['email', pattern('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', '', 'Invalid email format.')],
  ['phone', pattern('^\\+?[0-9\\s-]{10,15}$', '', 'Invalid phone number format.')],
  [
    'date',
    pattern(
      '^(?:\\d{4}-\\d{2}-\\d{2}|\\d{2}/\\d{2}/\\d{4}|\\d{2}-\\d{2}-\\d{4}|\\d{1,2} [A-Za-z]+ \\d{4})$',
      '',
      'Invalid date format.',
    ),
  ],
  [
    'isoDate',
    pattern(
      '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$',
      '',
      'Invalid ISO date format.',
    ),
  ],
  [
    'uuid',
    pattern(
      '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      'i',
      'Invalid UUID format.',
    ),
  ],
  ['url', pattern('^https?:\\/\\/[^\\s]+$', '', 'Invalid URL format.')],
  ['ipv4', pattern(`^${IPV4}$`, '', 'Invalid IPv4 address.')],
  ['ipv6', pattern(`^${IPV6}$`, 'i', 'Invalid IPv6 address.')],
  // The compiler's own takes any text that has an address somewhere in it.
  ['ip', pattern(`^(?:${IPV4}|${IPV6})$`, 'i', 'Invalid IP address.')],
  ['char', { 'expect.minLength': { length: 1 }, 'expect.maxLength': { length: 1 } }],
  ['required', { 'meta.required': true }],
  ['positive', { 'expect.min': { minValue: 0 } }],
  ['negative', { 'expect.max': { maxValue: 0 } }],
  ['int', { 'expect.int': true }],
  ['timestamp', { 'expect.int': true }],
  ['int8', range(-128, 127)],
  ['int16', range(-32_768, 32_767)],
  ['int32', range(-2_147_483_648, 2_147_483_647)],
  ['int64', range(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)],
  ['uint8', range(0, 255)],
  ['uint16', range(0, 65_535)],
  ['uint32', range(0, 4_294_967_295)],
  ['uint64', range(0, Number.MAX_SAFE_INTEGER)],
])

/** What a type with these tags asks for under the name of an annotation. */
export function semanticRule(tags: Iterable<string>, name: string): unknown {
  for (const tag of tags) {
    const rule = RULES.get(tag)?.[name]
    if (rule !== undefined) return rule
  }
}
