import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's root folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** The files below `folder` whose name ends in one of `endings`, with their text. */
export function readFiles(folder: string, ...endings: string[]): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && endings.some(ending => entry.name.endsWith(ending)))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.includes('node_modules'))
    .map(path => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
}

export function readFile(path: string): SourceFile {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}
