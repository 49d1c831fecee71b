import { getMoostMate, type Moost } from 'moost'
import { WfError } from '../errors'

/**
 * Stops an application at its start whose compiler does not say what constructors take: each request
 * would fail.
 *
 * @throws WfError `WF_CONFIG`, naming the class and what to switch on
 */
export function assertInjected(moost: Moost): void {
  for (const { type } of moost.getControllersOverview()) {
    // The application itself is among its controllers; nobody injects into it.
    const missing = moost instanceof type ? undefined : missingParameter(type)
    if (missing === undefined) continue
    throw new WfError(
      'WF_CONFIG',
      `Parameter ${missing + 1} of the constructor of ${type.name} has no type that Moost could inject. ` +
        'Set experimentalDecorators and emitDecoratorMetadata in tsconfig.json, and run the code with ' +
        'what emits the metadata: tsc and vite-node do; vitest does with oxc: { decorator: { legacy: ' +
        'true, emitDecoratorMetadata: true } }; tsx does not. Import the class without `type`.',
    )
  }
}

/** The first parameter that nobody has said anything about. */
function missingParameter(type: Function): number | undefined {
  const params = getMoostMate().read(type)?.params ?? []
  for (let index = 0; index < parametersOf(type); index++) {
    const { type: injected, ...decorated } = params[index] ?? {}
    if (injected === undefined && Object.keys(decorated).length === 0) return index
  }
}

/** A class without a constructor of its own takes what the class takes that it extends. */
function parametersOf(type: Function): number {
  const parent: unknown = Object.getPrototypeOf(type)
  const inherits = type.length === 0 && typeof parent === 'function' && parent.name !== ''
  return inherits ? parametersOf(parent) : type.length
}
