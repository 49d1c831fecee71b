import {
  type AtscriptDoc,
  isConst,
  isGroup,
  isPrimitive,
  isRef,
  type SemanticNode,
} from '@atscript/core'

/** What a field holds once aliases, imports and unions are followed. */
export interface FieldType {
  readonly kind: FieldKind
  /** The literals, when nothing else is allowed. */
  readonly literals?: readonly string[]
}

type FieldKind = 'string' | 'number' | 'boolean' | 'timestamp' | 'decimal' | 'mixed' | 'complex'

const SIMPLE = new Set<unknown>(['string', 'number', 'boolean', 'decimal'])

/** @returns nothing for a type that cannot be resolved; the compiler says so then */
export function fieldType(
  node: SemanticNode | undefined,
  doc: AtscriptDoc,
  seen: ReadonlySet<SemanticNode> = new Set(),
): FieldType | undefined {
  if (!node || seen.has(node)) return undefined
  if (isRef(node)) {
    const found = doc.unwindType(node.id ?? '', node.chain)
    return found && fieldType(found.def, found.doc, new Set([...seen, node]))
  }
  if (isPrimitive(node)) {
    if (node.tags.has('timestamp')) return { kind: 'timestamp' }
    return { kind: SIMPLE.has(node.type) ? (node.type as FieldKind) : 'complex' }
  }
  // Structures and tuples are groups too.
  if (isGroup(node) && node.entity === 'group') {
    return unite(node.unwrap().map(item => fieldType(item, doc, seen)))
  }
  if (!isConst(node)) return { kind: 'complex' }
  const kind = node.token('identifier')?.type === 'number' ? 'number' : 'string'
  return { kind, literals: [node.id ?? ''] }
}

/** `'a' | 'b'` and `string & string.email` are strings; `string | number` is neither. */
function unite(types: ReadonlyArray<FieldType | undefined>): FieldType | undefined {
  const known = types.filter(type => type !== undefined)
  const [first, ...rest] = known
  if (!first) return undefined
  if (rest.some(({ kind }) => kind !== first.kind)) return { kind: 'mixed' }
  if (known.some(({ literals }) => !literals)) return { kind: first.kind }
  return { kind: first.kind, literals: known.flatMap(({ literals }) => literals ?? []) }
}
