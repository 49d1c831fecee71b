import {
  type AtscriptDoc,
  isAnnotate,
  isInterface,
  isProp,
  isRef,
  isStructure,
  isType,
  type SemanticNode,
  type SemanticPropNode,
  type SemanticRefNode,
} from '@atscript/core'
import type { AnnotationUse } from './rule'

/** The field that an annotation is about, wherever it was written. */
export interface AnnotatedField {
  readonly name: string
  readonly prop: SemanticPropNode
  /** The document that declares the field, which may be an imported one. */
  readonly doc: AtscriptDoc
  /** The interface or type that declares it; none when it is inside another field. */
  readonly owner?: SemanticNode
  /** Names of everything that it is annotated with, also from the block of this use. */
  readonly annotations: ReadonlySet<string>
}

/** @returns nothing when there is no such field; the compiler says so then */
export function annotatedField({ token, doc }: AnnotationUse): AnnotatedField | undefined {
  const node = token.parentNode
  if (isProp(node)) return describe(node, doc, declaredIn(node))
  return isRef(node) ? fieldOfBlock(node, doc) : undefined
}

/** `annotate Row { @x field }`: the field is declared elsewhere. */
function fieldOfBlock(entry: SemanticRefNode, doc: AtscriptDoc): AnnotatedField | undefined {
  const at = entry.token('identifier')?.range.start
  const target = at && doc.annotateBlockAt(at.line, at.character)?.targetName
  const found = target ? doc.unwindType(target) : undefined
  if (!found || !(isInterface(found.def) || isStructure(found.def))) return undefined
  let prop = found.def.props.get(entry.id ?? '')
  for (const { text } of entry.chain) prop = prop?.nestedProps?.get(text)
  const written = entry.annotations?.map(({ name }) => name)
  return prop && describe(prop, found.doc, declaredIn(prop), written)
}

function declaredIn({ ownerNode: structure }: SemanticPropNode): SemanticNode | undefined {
  const owner = structure?.ownerNode
  return isInterface(owner) || isType(owner) ? owner : undefined
}

function describe(
  prop: SemanticPropNode,
  doc: AtscriptDoc,
  owner: SemanticNode | undefined,
  written: readonly string[] = [],
): AnnotatedField {
  const name = prop.id ?? ''
  const declared = doc.evalAnnotationsForNode(prop)?.map(annotation => annotation.name) ?? []
  const added = owner?.id ? addedByBlocks(doc, owner.id, name) : []
  return { name, prop, doc, owner, annotations: new Set([...declared, ...added, ...written]) }
}

/** Blocks of the declaring document annotate the field itself, unless they make a type of their own. */
function addedByBlocks(doc: AtscriptDoc, owner: string, name: string): string[] {
  return doc
    .getAnnotateNodesFor(owner)
    .filter(block => isAnnotate(block) && block.isMutating)
    .flatMap(block => block.entries)
    .filter(entry => entry.id === name && !entry.hasChain)
    .flatMap(entry => entry.annotations?.map(annotation => annotation.name) ?? [])
}
