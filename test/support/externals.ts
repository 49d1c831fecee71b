import { join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

/** Something outside of the package that a module imports, and by which way. */
export interface External {
  readonly specifier: string
  /** It is loaded when it is needed, and not when the module is. */
  readonly isLater: boolean
  /** From the entry to who imports it. */
  readonly chain: readonly string[]
}

/** What comes along with the package, and so into every bundle. */
const DEPENDENCIES = /^(?:jose|kysely)(?:\/|$)/u

const leavePeersOut: Plugin = {
  name: 'leave-peers-out',
  setup({ onResolve }) {
    // oxlint-disable-next-line require-unicode-regexp -- esbuild reads it by the rules of Go
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || DEPENDENCIES.test(path) ? undefined : { path, external: true },
    )
  },
}

/** Bundles a file alone, and finds what it imports that is not in the bundle. */
export async function externalsOf(folder: string, entry: string): Promise<readonly External[]> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    plugins: [leavePeersOut],
  })
  return search(metafile, relative(folder, join(folder, entry)))
}

/** By width, so that each is found by the shortest way; what is loaded at once is looked at first. */
function search({ inputs }: Metafile, entry: string): External[] {
  const found = new Map<string, External>()
  const seen = new Set<string>()
  let now: Way[] = [{ file: entry, isLater: false, chain: [entry] }]
  let later: Way[] = []
  while (now.length > 0) {
    const next: Way[] = []
    for (const { file, isLater, chain } of now) {
      if (seen.has(file)) continue
      seen.add(file)
      for (const { path, external, kind } of inputs[file]?.imports ?? []) {
        const comesLater = isLater || kind === 'dynamic-import'
        if (!external) {
          const way = { file: path, isLater: comesLater, chain: [...chain, path] }
          ;(comesLater === isLater ? next : later).push(way)
        } else if (!found.has(path) || (found.get(path)!.isLater && !comesLater)) {
          found.set(path, { specifier: path, isLater: comesLater, chain })
        }
      }
    }
    now = next
    if (now.length === 0) [now, later] = [later, []]
  }
  return [...found.values()].toSorted((one, other) => (one.specifier < other.specifier ? -1 : 1))
}

interface Way {
  readonly file: string
  readonly isLater: boolean
  readonly chain: readonly string[]
}

/** As it is listed. */
export const nameOf = ({ specifier, isLater }: External): string =>
  isLater ? `${specifier} (later)` : specifier

/** What a subpath imports that is not listed, each with its way; and what is listed in vain. */
export function differencesFrom(
  listed: readonly string[] | undefined,
  subpath: string,
  found: readonly External[],
): string[] {
  const names = new Set(found.map(nameOf))
  const unlisted = found.filter(external => !listed?.includes(nameOf(external)))
  return [
    ...(listed ? [] : [`${subpath} is not listed`]),
    ...unlisted.map(external => `${subpath} imports ${wayOf(external)}, which is not listed`),
    ...(listed ?? [])
      .filter(name => !names.has(name))
      .map(name => `${subpath} does not import ${name} any more`),
  ]
}

const wayOf = ({ chain, ...external }: External): string =>
  [...chain.map(withoutHash), nameOf({ ...external, chain })].join(' → ')

/** The parts of a build have names that change with it. */
const withoutHash = (file: string): string => file.replace(/-[\w-]{8}(?=\.mjs$)/u, '')
