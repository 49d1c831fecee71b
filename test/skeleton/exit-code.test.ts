import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from '../support/project'

// With a PostgreSQL of its own as well, whose package ends processes in its own way.
const NOWHERE = 'postgres://postgres@127.0.0.1:1/postgres'

it.each([
  ['passing', undefined, 0],
  ['failing', undefined, 1],
  ['failing', NOWHERE, 1],
])('a run of a %s test, with PostgreSQL at %s, ends with %i', (outcome, postgres, code) => {
  const { status } = spawnSync('npx', ['vitest', 'run'], {
    cwd: root,
    env: {
      ...process.env,
      WF_TEST_FILES: `test/fixtures/outcomes/${outcome}.check.ts`,
      ...(postgres && { WF_TEST_POSTGRES_URL: postgres }),
    },
  })
  expect(status).toBe(code)
})
