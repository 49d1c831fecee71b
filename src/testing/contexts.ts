/** Contexts that must come back as they were, with what is special about each. */
export const CONTEXTS: readonly (readonly [string, unknown])[] = [
  ['empty', {}],
  ['null', null],
  ['a list', [1, [2, []], {}]],
  ['a number', 0.1],
  ['deep', { a: { b: { c: { d: [{ e: null }] } } } }],
  ['unicode', { 'ключ 🔑': '\u0000 \u2028 👩‍👩‍👧 \ud800' }],
  ['quotes', { '"\\\n': "'; drop table x; --" }],
  ['an own __proto__', JSON.parse('{"__proto__":{"admin":true},"constructor":1}')],
]
