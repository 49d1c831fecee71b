import { expect, it } from 'vitest'
import { readFile } from '../support/project'

interface Manifest {
  readonly engines: { readonly node: string }
}

const { engines } = JSON.parse(readFile('package.json').text) as Manifest

it.each(['README.md', 'docs/set-up.md'])('%s names the versions of Node that are tested', page => {
  const [one, two, three] = engines.node
    .split(' || ')
    .map(range => range.replace(/^\D+/u, '').replace(/(?:\.0)+$/u, ''))
  const named = readFile(page)
    .text.replaceAll(/\s+/gu, ' ')
    .match(/\bNode \d[^;]*? newer/gu)
  expect(new Set(named)).toEqual(new Set([`Node ${one}, ${two}, or ${three} and newer`]))
})
