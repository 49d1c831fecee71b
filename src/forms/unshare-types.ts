import { createAnnotatedTypeNode, type TAtscriptAnnotatedType } from '@atscript/typescript/utils'

type Type = TAtscriptAnnotatedType

/** Where a table is served, as `@atscript/db` annotates it. */
export const HTTP_PATH = 'db.http.path'

/**
 * A copy of a type in which every use of a named type stands for itself. The serialiser would write
 * the second `Address` of a form as a bare reference to the first, without its own label, and a
 * client would have to put them together. Types that contain themselves stay references.
 */
export function unshareTypes(root: Type): Type {
  const recursive = recursiveIds(root)
  return copyOf(root, [], id => id === root.id || recursive.has(id))
}

function copyOf(def: Type, path: readonly string[], keepsId: (id: string) => boolean): Type {
  const { id, metadata, optional, ref } = def
  if (id !== undefined && path.includes(id)) return def
  const below = id === undefined ? path : [...path, id]
  const type = mapInner(def, inner => copyOf(inner, below, keepsId))
  return createAnnotatedTypeNode(type, metadata, {
    optional,
    id: id !== undefined && keepsId(id) ? id : undefined,
    ref: ref && hasAddress(ref) ? ref : undefined,
  })
}

/** Whether a client can look up what a field refers to: the table has an address of its own. */
function hasAddress(ref: NonNullable<Type['ref']>): boolean {
  return ref.type()?.metadata.has(HTTP_PATH) ?? false
}

function recursiveIds(root: Type): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (def: Type, path: readonly string[]): void => {
    if (def.id !== undefined && path.includes(def.id)) {
      found.add(def.id)
      return
    }
    const below = def.id === undefined ? path : [...path, def.id]
    mapInner(def, inner => {
      visit(inner, below)
      return inner
    })
  }
  visit(root, [])
  return found
}

function mapInner({ type }: Type, change: (inner: Type) => Type): Type['type'] {
  switch (type.kind) {
    case 'object':
      return {
        ...type,
        props: new Map([...type.props].map(([name, prop]) => [name, change(prop)])),
        propsPatterns: type.propsPatterns.map(({ pattern, def }) => ({
          pattern,
          def: change(def),
        })),
      }
    case 'array':
      return { ...type, of: change(type.of) }
    case 'union':
    case 'intersection':
    case 'tuple':
      return { ...type, items: type.items.map(change) }
    default:
      return type
  }
}
