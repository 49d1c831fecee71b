import { describe, expect, it } from 'vitest'
import { readFile } from '../support/project'

const { peerDependencies, devDependencies } = JSON.parse(readFile('package.json').text) as Record<
  'peerDependencies' | 'devDependencies',
  Record<string, string>
>

/** Whether a caret range, or several, admits a version below 1.0. */
function admits(range: string, version: string): boolean {
  const [major, minor, patch] = version.split('.').map(Number) as [number, number, number]
  return range.split('||').some(part => {
    const [, a, b, c] = /^\^(\d+)\.(\d+)\.(\d+)$/u.exec(part.trim())?.map(Number) ?? []
    if (a === undefined || b === undefined || c === undefined) return false
    return a === major && b === minor && (b > 0 ? patch >= c : patch === c)
  })
}

describe('the peer ranges', () => {
  it.each(['0.0.18', '0.1.0', '0.1.1', '0.2.0', '0.2.9'])('admit @prostojs/wf %s', version => {
    expect(admits(peerDependencies['@prostojs/wf'] ?? '', version)).toBe(true)
  })

  it.each([
    ['@wooksjs/event-wf', '0.7.3'],
    ['@wooksjs/event-wf', '0.7.16'],
    ['@wooksjs/event-http', '0.7.10'],
    ['wooks', '0.7.12'],
    ['moost', '0.6.28'],
  ])('admit %s %s', (name, version) => {
    expect(admits(peerDependencies[name] ?? '', version)).toBe(true)
  })

  it('do not admit what was not tried', () => {
    expect(admits(peerDependencies['@prostojs/wf'] ?? '', '0.3.0')).toBe(false)
    expect(admits(peerDependencies['@prostojs/wf'] ?? '', '0.0.17')).toBe(false)
  })

  it('name what the tests run with', () => {
    for (const [name, version] of Object.entries(devDependencies)) {
      const range = peerDependencies[name]
      if (range?.startsWith('^0.')) expect(admits(range, version), name).toBe(true)
    }
  })
})
