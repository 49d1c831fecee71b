import { describe, expect, it } from 'vitest'
import { newFlowId } from '../../src/state'

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u

describe('the id of a flow', () => {
  it('is a UUID of version 7, also at the ends of time', () => {
    for (const now of [0, 1, Date.now(), 1795061836292.7, 2 ** 48 - 1]) {
      expect(newFlowId(now)).toMatch(UUID_7)
    }
    expect(newFlowId()).toMatch(UUID_7)
  })

  it('sorts by the time, so that neighbours in time are neighbours in an index', () => {
    const ids = [5, 90_000, 1795061836292, 1795061836293, 2_000_000_000_000].map(newFlowId)
    expect(ids.toSorted()).toEqual(ids)
  })

  it('is never the same twice, not even in one millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newFlowId(1795061836292))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
