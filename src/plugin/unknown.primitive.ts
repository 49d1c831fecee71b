import type { TPrimitiveConfig } from '@atscript/core'

/**
 * `unknown`: any value, which atscript has no name for. Both of its renderers have a branch for a
 * kind that they do not know, and make `unknown` of it in TypeScript and `any` at run time; their
 * type does not list such a kind.
 */
export const unknownPrimitive: TPrimitiveConfig = {
  documentation: 'Any value.',
  type: { kind: 'any' } as never,
}
