import { createRequire } from 'node:module'

/** The driver that the package itself uses: a peer here may bring another copy of it. */
export const pg = createRequire(new URL('../../package.json', import.meta.url))('pg')
