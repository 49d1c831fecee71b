import { EncapsulatedStateStrategy } from '@atscript/moost-wf'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { readFiles } from '../../support/project'

/** Tokens of every released format. They are never written anew: later versions must read them. */
interface Golden {
  readonly secret: string
  readonly name: string
  readonly purpose?: string
  readonly compress: boolean
  /** When they were written. */
  readonly at: number
  readonly token: string
  readonly state: unknown
}

const files = readFiles('test/fixtures/tokens', '.json')
const golden = files.flatMap(({ path, text }) =>
  (JSON.parse(text) as Golden[]).map((token, index) => [`${path}#${index}`, token] as const),
)

describe('a token of an earlier release', () => {
  it('is there', () => {
    expect(golden.length).toBeGreaterThan(2)
  })

  it.each(golden)(
    'opens: %s',
    async (_path, { secret, name, purpose, compress, at, token, state }) => {
      const clock = new FakeClock(at + 60_000)
      const strategy = new EncapsulatedStateStrategy({ secret, purpose, compress, clock })
      expect(await strategy.forName(name).retrieve(token)).toEqual(state)
    },
  )
})
