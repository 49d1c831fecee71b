const SHOWN = 3

interface SizedPath {
  readonly path: string
  readonly size: number
}

/** The paths that take the most room, by name and size. Never shows a value. */
export function largestPaths(context: unknown): string {
  const sized = childrenOf('context', context).map(narrow)
  return sized
    .toSorted((a, b) => b.size - a.size)
    .slice(0, SHOWN)
    .map(({ path, size }) => `${path} (${size} characters)`)
    .join(', ')
}

/** Goes down as long as one child makes up most of its parent. */
function narrow(sized: SizedPath & { readonly value: unknown }): SizedPath {
  const heavy = childrenOf(sized.path, sized.value).find(child => child.size > sized.size / 2)
  return heavy ? narrow(heavy) : sized
}

function childrenOf(path: string, value: unknown) {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, child]: [string, unknown]) => ({
    path: Array.isArray(value) ? `${path}[]` : `${path}.${key}`,
    size: sizeOf(child),
    value: child,
  }))
}

function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0
  } catch {
    return 0
  }
}
