const WEBHOOKS = ['node:dns/promises (later)', 'node:http (later)', 'node:https (later)']
const EVENTS = ['@wooksjs/event-core', '@wooksjs/event-wf']
const RUN = [
  ...EVENTS,
  ...WEBHOOKS,
  'node:async_hooks',
  'node:buffer',
  'node:crypto',
  'node:net (later)',
]
const TRIGGER = [
  ...EVENTS,
  '@wooksjs/event-http',
  'node:async_hooks',
  'node:buffer',
  'node:crypto',
  'node:dns/promises (later)',
  'node:http',
  'node:https (later)',
  'node:net',
  'node:timers/promises',
  'node:util',
  'node:zlib',
]
const MOOST = [...TRIGGER, '@prostojs/wf', 'moost', 'wooks']
const RECORD = ['@atscript/typescript/utils']

/** What each subpath imports, besides `jose` and `kysely`, which are a part of its bundle. */
export const LISTED_EXTERNALS: Readonly<Record<string, readonly string[]>> = {
  '.': [...MOOST, '@atscript/typescript/utils'],
  './moost': MOOST,
  './http': [
    '@wooksjs/event-http',
    '@wooksjs/http-body',
    'moost',
    'node:http',
    'node:net',
    'node:stream',
    'node:util',
    'node:zlib',
    'wooks',
  ],
  './run': RUN,
  './trigger': TRIGGER,
  './forms': [
    ...EVENTS,
    ...WEBHOOKS,
    '@atscript/typescript/utils',
    '@prostojs/wf',
    'moost',
    'node:crypto',
    'node:net (later)',
  ],
  './outlets': [...WEBHOOKS, 'node:net (later)'],
  './strategies': [],
  './store': [],
  './store.as': RECORD,
  './store.as.as': RECORD,
  './ledger.as': RECORD,
  './ledger.as.as': RECORD,
  './runs': RUN,
  './runs.as': RECORD,
  './runs.as.as': RECORD,
  // What openDatabase() loads for the URL that it is given.
  './db': ['node:crypto (later)', 'node:module (later)'],
  './db/sqlite': ['node:module'],
  './db/postgres': ['node:crypto', 'node:module'],
  './db/mysql': ['node:module'],
  './db/d1': [],
  './client': [],
  './admin': [
    '@wooksjs/event-core',
    '@wooksjs/event-http',
    'moost',
    'node:buffer',
    'node:crypto',
    'node:stream',
    'node:util',
    'node:zlib',
  ],
  './plugin': ['@atscript/core'],
  './plugin/reject-native': [],
  './testing': ['node:crypto (later)', 'node:module (later)', 'node:util', 'vitest'],
}

/** What a Worker needs of Node, in what it may import. */
export const FOR_WORKERS = Object.keys(LISTED_EXTERNALS).filter(
  subpath => !/^\.\/(?:db\/(?!d1)|plugin|testing|client)/u.test(subpath),
)
