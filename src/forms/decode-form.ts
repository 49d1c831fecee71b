import type {
  TAtscriptAnnotatedType,
  TAtscriptTypeArray,
  TAtscriptTypeComplex,
  TAtscriptTypeFinal,
} from '@atscript/typescript/utils'
import type { EncodedFields } from '../run'
import { isRecord } from '../state'
import { decodeText, type PlainType } from './decode-text'
import { EncodedTexts } from './encoded-texts'
import { MAX_ENTRIES } from './field-rules'
import { type ObjectType, sectionOf } from './form-section'
import type { ObjectForm } from './form-type'

type Field = TAtscriptAnnotatedType

/**
 * Reads what an HTML form has sent by the types of the form that it is for: `address.street` is the street
 * in the address, a name that is repeated is a list. What cannot be read stays a text, and is refused
 * when it is judged. Names that the form does not have are never looked at, whatever they are.
 *
 * An empty text is no answer. A box that is not ticked is not sent: where one must be answered, that
 * says no, unless anything may be missing yet.
 */
export function decodeForm(
  { type }: ObjectForm,
  fields: EncodedFields,
  partial: boolean,
): Record<string, unknown> {
  return new FormDecoder(new EncodedTexts(fields), partial).section(type, '', [])
}

class FormDecoder {
  readonly #texts: EncodedTexts
  readonly #partial: boolean

  constructor(texts: EncodedTexts, partial: boolean) {
    this.#texts = texts
    this.#partial = partial
  }

  /** @param around the objects that this one is in: a type may hold itself without an end */
  section(type: ObjectType, path: string, around: readonly ObjectType[]): Record<string, unknown> {
    const within = [...around, type]
    const parts = sectionOf(type).fields.map(([name, field]) => {
      const below = path === '' ? name : `${path}.${name}`
      return [name, this.#decode(field, below, within)] as const
    })
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
  }

  #decode(field: Field, path: string, around: readonly ObjectType[]): unknown {
    const { type } = field
    switch (type.kind) {
      case 'object': {
        const isLeftOut = field.optional || around.includes(type)
        if (isLeftOut && !this.#texts.isFilledIn(path)) return undefined
        return this.section(type, path, around)
      }
      case 'array':
        return this.#list(field as TAtscriptAnnotatedType<TAtscriptTypeArray>, path, around)
      case 'tuple':
        return this.#tuple(type, path, around)
      case 'intersection':
        return this.#all(type, path, around)
      case 'union':
        return this.#plain(field, plainTypesIn(type), path)
      default:
        return this.#plain(field, [type], path)
    }
  }

  #plain(field: Field, types: readonly PlainType[], path: string): unknown {
    const texts = this.#texts.at(path)
    // Only a box can be sent twice: behind a hidden field that says no for it.
    const isBox = types.every(({ designType }) => designType === 'boolean')
    if (isBox && texts.length === 0) return field.optional || this.#partial ? undefined : false
    if (texts.length > 1 && !isBox) return texts
    const text = texts.at(-1)
    return text === undefined ? undefined : decodeText(text, types, field)
  }

  #list(
    { type: { of }, optional }: TAtscriptAnnotatedType<TAtscriptTypeArray>,
    path: string,
    around: readonly ObjectType[],
  ): unknown {
    const types = of.type.kind === 'union' ? plainTypesIn(of.type) : [of.type as PlainType]
    const isPlain = of.type.kind === '' || of.type.kind === 'union'
    const texts = isPlain ? this.#texts.at(path) : []
    const repeated = texts.filter(text => text !== '')
    const numbered = this.#numbered(path).map(below => this.#decode(of, below, around))
    if (optional && texts.length + numbered.length === 0) return undefined
    return [
      ...repeated.map(text => decodeText(text, types, of)),
      ...numbered.filter(item => item !== undefined),
    ]
  }

  /** The paths of the items that have numbers, up to the first that is missing. */
  #numbered(path: string): string[] {
    const paths: string[] = []
    // One more than a list may have, so that too many are refused, and not cut off.
    while (paths.length <= MAX_ENTRIES && this.#texts.has(`${path}.${paths.length}`)) {
      paths.push(`${path}.${paths.length}`)
    }
    return paths
  }

  #tuple({ items }: TAtscriptTypeComplex, path: string, around: readonly ObjectType[]): unknown {
    if (!this.#texts.has(path)) return undefined
    return items.map((item, at) => this.#decode(item, `${path}.${at}`, around))
  }

  #all({ items }: TAtscriptTypeComplex, path: string, around: readonly ObjectType[]): unknown {
    const parts = items.map(item => this.#decode(item, path, around))
    return parts.every(isRecord) ? Object.assign({}, ...parts) : parts.at(-1)
  }
}

/** The plain types among the members of a union: nothing else can be told from a text. */
function plainTypesIn({ items }: TAtscriptTypeComplex): readonly PlainType[] {
  return items.flatMap(({ type }): PlainType[] => {
    if (type.kind === 'union') return [...plainTypesIn(type)]
    return type.kind === '' ? [type as TAtscriptTypeFinal] : []
  })
}
