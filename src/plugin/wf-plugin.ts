import type { TAtscriptPlugin } from '@atscript/core'
import { dbAnnotations } from './annotations/db.annotations'
import { uiAnnotations } from './annotations/ui.annotations'
import { wfAnnotations } from './annotations/wf.annotations'
import { missingAnnotations } from './missing-annotations'
import { nameSiblings } from './sibling-imports'
import { uiPrimitive } from './ui.primitive'
import { unknownPrimitive } from './unknown.primitive'

const ANNOTATIONS = { wf: wfAnnotations, ui: uiAnnotations, db: dbAnnotations }
const PRIMITIVES = { unknown: unknownPrimitive, ui: uiPrimitive }

/**
 * The atscript plugin that knows `@wf.*`, and what our tables and forms need of `@db.*` and `@ui.*`.
 *
 * An annotation that another plugin has registered, before or after this one, stays that plugin's.
 * What `asc` compiles can be loaded by plain Node, also where one `.as` file imports another.
 *
 * @example
 * ```ts
 * // atscript.config.ts
 * import { defineConfig } from '@atscript/core'
 * import typescript from '@atscript/typescript'
 * import wf from '@atscript/moost-wf/plugin'
 *
 * export default defineConfig({
 *   rootDir: 'src',
 *   plugins: [typescript(), wf()],
 * })
 * ```
 */
export function wfPlugin(): TAtscriptPlugin {
  return {
    name: 'moost-wf',
    config: ({ annotations, primitives }) => ({
      annotations: missingAnnotations(ANNOTATIONS, annotations),
      primitives: Object.fromEntries(
        Object.entries(PRIMITIVES).filter(([name]) => !Object.hasOwn(primitives ?? {}, name)),
      ),
    }),
    buildEnd: nameSiblings,
  }
}
