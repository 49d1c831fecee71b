import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readFile, root } from './project'

/** The fenced blocks of a Markdown file, by language. */
export function blocksOf(path: string, language: string): string[] {
  const pattern = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'gu')
  return [...readFile(path).text.matchAll(pattern)].map(([, block = '']) => block)
}

/** The one block of a Markdown file that has this text in it. */
export function blockWith(path: string, text: string, language = 'ts'): string {
  const [block, ...others] = blocksOf(path, language).filter(one => one.includes(text))
  if (block === undefined || others.length > 0)
    throw new Error(`${path}: which block has "${text}"?`)
  return block
}

/** Runs the first `ts` block of a Markdown file, with `more` behind it, and returns its exports. */
export function importExample<E>(path: string, more = ''): Promise<E> {
  return runBlock(path, `${blocksOf(path, 'ts')[0]}\n${more}\n`)
}

/** Runs a block of a Markdown file, beside the files that it imports, and returns its exports. */
export async function runBlock<E>(
  path: string,
  code: string,
  files: Readonly<Record<string, string>> = {},
): Promise<E> {
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 8)
  const folder = join(root, 'test/docs/.generated', `${basename(path)}.${hash}`)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ ...files, 'example.ts': code })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return (await import(/* @vite-ignore */ join(folder, 'example.ts'))) as E
}
