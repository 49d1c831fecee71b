import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFile, root } from '../support/project'

it.each(['SECURITY.md', 'docs/durable.md', 'docs/workers.md'])(
  '%s names tests that there are',
  page => {
    const named = [...readFile(page).text.matchAll(/`(test\/[\w/-]+)`/gu)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter(name => !existsSync(join(root, `${name}.test.ts`)))).toEqual([])
  },
)
