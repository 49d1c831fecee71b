import { whyRejected } from './native-modules'

/** A plugin of esbuild, as far as it is needed here. */
export interface RejectNativeForEsbuild {
  readonly name: string
  setup(build: {
    onResolve(
      options: { filter: RegExp },
      callback: (asked: { path: string }) => { errors: { text: string }[] } | undefined,
    ): void
  }): void
}

/** A plugin of Rolldown and of Vite, as far as it is needed here. */
export interface RejectNativeForRolldown {
  readonly name: string
  readonly enforce: 'pre'
  resolveId(specifier: string): null
  generateBundle(
    options: unknown,
    bundle: Readonly<
      Record<
        string,
        {
          readonly imports?: readonly string[] | undefined
          readonly dynamicImports?: readonly string[] | undefined
        }
      >
    >,
  ): void
}

const name = 'reject-native'

/**
 * Plugins for the build of a Worker: one that would hold native code, such as a driver of SQLite, fails with
 * a sentence that says what to import instead. Without it the Worker fails when it is deployed, or at its
 * first request.
 *
 * @example
 * ```ts
 * import { rejectNative } from '@atscript/moost-wf/plugin/reject-native'
 * import { build } from 'rolldown'
 *
 * await build({
 *   input: 'src/worker.ts',
 *   platform: 'node',
 *   transform: { decorator: { legacy: true, emitDecoratorMetadata: true } },
 *   plugins: [rejectNative.rolldown()],
 *   output: { file: 'dist/worker.js', format: 'esm' },
 * })
 * ```
 */
export const rejectNative = {
  esbuild: (): RejectNativeForEsbuild => ({
    name,
    setup(build) {
      // oxlint-disable-next-line require-unicode-regexp -- esbuild reads it by the rules of Go
      build.onResolve({ filter: /.*/ }, ({ path }) => {
        const text = whyRejected(path)
        return text === undefined ? undefined : { errors: [{ text }] }
      })
    },
  }),
  rolldown: rejectWhileBundling,
  vite: rejectWhileBundling,
}

function rejectWhileBundling(): RejectNativeForRolldown {
  const check = (specifier: string) => {
    const text = whyRejected(specifier)
    if (text !== undefined) throw new Error(text)
  }
  return {
    name,
    enforce: 'pre',
    resolveId(specifier) {
      check(specifier)
      return null
    },
    // Nobody is asked to resolve what the configuration calls external.
    generateBundle(_options, bundle) {
      for (const { imports = [], dynamicImports = [] } of Object.values(bundle)) {
        for (const specifier of [...imports, ...dynamicImports]) check(specifier)
      }
    },
  }
}
