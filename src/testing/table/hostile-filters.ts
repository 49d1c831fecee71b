/** Filters and controls that must be refused before there is any SQL, whatever the table. */
export function hostileFilters(): [string, unknown][] {
  const nested = Array.from({ length: 40 }).reduce(inner => ({ $not: inner }), { key: 'a' })
  return [
    ['an empty text to look for', { text: { $contains: '' } }],
    ['a number to look for', { text: { $contains: 1 } }],
    ['null to look for', { text: { $contains: null } }],
    ['a list to look for', { text: { $contains: ['a'] } }],
    ['a text in a number', { ratio: { $contains: '1' } }],
    ['a text in JSON', { data: { $contains: 'x' } }],
    ['none', undefined],
    ['null', null],
    ['a text', 'key = 1'],
    ['a list', []],
    ['a Date', new Date()],
    ['a Map', new Map([['key', 'a']])],
    [
      'a class instance',
      new (class {
        key = 'a'
      })(),
    ],
    ['a symbol key', { [Symbol('key')]: 1 }],
    ['an unknown column', { nope: 1 }],
    ['SQL for a column', { 'key" = "key" or "key': 'a' }],
    ['a qualified column', { 'suite_rows.key': 'a' }],
    ['a column in another case', { KEY: 'a' }],
    ['a name of Object.prototype', { toString: 'a' }],
    ['an own __proto__', JSON.parse('{"__proto__":{"key":"a"}}')],
    ['a constructor', JSON.parse('{"constructor":{"prototype":{"key":"a"}}}')],
    ['an unknown operator', { key: { $regex: '.*' } }],
    ['$where', { $where: '1=1' }],
    ['an operator of Object.prototype', { key: { constructor: 'a' } }],
    ['an own __proto__ for an operator', { key: JSON.parse('{"__proto__":"a"}') }],
    ['no operator', { key: {} }],
    ['a nested object', { key: { a: { b: 1 } } }],
    ['undefined for a value', { key: undefined }],
    ['undefined for an operand', { key: { $eq: undefined } }],
    ['undefined beside a good one', { key: { $eq: 'a', $ne: undefined } }],
    ['a list for a value', { key: ['a'] }],
    ['a list for an operand', { key: { $eq: ['a'] } }],
    ['an object for an operand', { key: { $eq: { $ne: 'b' } } }],
    ['a function', { key: () => 'a' }],
    ['a symbol', { key: Symbol('a') }],
    ['a number for a text', { key: 0 }],
    ['a boolean for a text', { key: true }],
    ['a text for a number', { ratio: '1' }],
    ['a text for a boolean', { flag: 'true' }],
    ['NaN', { ratio: Number.NaN }],
    ['Infinity', { ratio: { $lt: Infinity } }],
    ['a bigint', { at: 1n }],
    ['a Date for a time', { at: { $gt: new Date() } }],
    ['null for an order', { at: { $gt: null } }],
    ['NUL', { key: 'a\0' }],
    ['NUL in a list', { key: { $in: ['a', '\0'] } }],
    ['half a surrogate pair', { key: '\udc00' }],
    ['JSON compared', { data: 'a' }],
    ['JSON in a list', { data: { $in: ['a'] } }],
    ['$in without a list', { key: { $in: 'a' } }],
    ['$in with a list-like', { key: { $in: { length: 1, 0: 'a' } } }],
    ['$in with undefined', { key: { $in: ['a', undefined] } }],
    ['$in with holes', { key: { $in: Array.from({ length: 3 }).fill('a', 0, 1) } }],
    ['$in with 1,001 values', many(1001)],
    ['$in with 10,000 values', { key: { $in: Array.from({ length: 10_000 }, () => 'a') } }],
    ['three lists with 2,700 values together', { $or: [many(900), many(900), many(900)] }],
    ['$exists without a boolean', { key: { $exists: 1 } }],
    ['$and without a list', { $and: { key: 'a' } }],
    ['$or with a text', { $or: ['key'] }],
    ['$or with null', { $or: [null] }],
    ['$not with null', { $not: null }],
    ['$not of a value', { key: { $not: 'a' } }],
    ['$or with 10,000 filters', { $or: Array.from({ length: 10_000 }, () => ({ key: 'a' })) }],
    [
      '$and of 10,000 filters that say nothing',
      { $and: Array.from({ length: 10_000 }, () => ({})) },
    ],
    ['500 comparisons', { $or: Array.from({ length: 500 }, () => ({ text: null })) }],
    ['500 comparisons in two levels', { $and: [parts(250), parts(250)] }],
    ['endless nesting', nested],
    ['endless nesting of operators', { key: deepNot(40) }],
    [
      'a getter that throws nothing but gives an object',
      {
        get key() {
          return { nope: 1 }
        },
      },
    ],
  ]
}

const parts = (length: number) => ({ $or: Array.from({ length }, () => ({ key: 'a' })) })

const many = (length: number) => ({ key: { $in: Array.from({ length }, () => 'a') } })

const deepNot = (depth: number): object => ({
  $not: depth === 0 ? { $eq: 'a' } : deepNot(depth - 1),
})

export function hostileControls(): [string, unknown][] {
  return [
    ['a list', []],
    ['null', null],
    ['an unknown control', { $limits: 1 }],
    ['an own __proto__', JSON.parse('{"__proto__":{"$limit":1}}')],
    ['a text for a limit', { $limit: '1' }],
    ['SQL for a limit', { $limit: '1; drop table suite_rows' }],
    ['a limit of 0', { $limit: 0 }],
    ['a negative limit', { $limit: -1 }],
    ['half a limit', { $limit: 1.5 }],
    ['a limit without end', { $limit: Infinity }],
    ['a negative skip', { $skip: -1 }],
    ['NaN to skip', { $skip: Number.NaN }],
    ['an object to skip', { $skip: { valueOf: () => 1 } }],
    ['a text to sort by', { $sort: 'key' }],
    ['a list to sort by', { $sort: ['key'] }],
    ['an unknown column to sort by', { $sort: { nope: 1 } }],
    ['SQL to sort by', { $sort: { 'key desc; --': 1 } }],
    ['an unknown order', { $sort: { key: 2 } }],
    ['SQL for an order', { $sort: { key: 'asc; drop table suite_rows' } }],
    ['JSON to sort by', { $sort: { data: 1 } }],
    ['an unknown column to select', { $select: ['nope'] }],
    ['SQL to select', { $select: ['key" from suite_rows; --'] }],
    ['a star to select', { $select: ['*'] }],
    ['no column to select', { $select: [] }],
    ['a text to select', { $select: 'key' }],
    ['an object to select', { $select: [{ toString: () => 'key' }] }],
    ['a symbol to select', { $select: [Symbol('key')] }],
  ]
}
