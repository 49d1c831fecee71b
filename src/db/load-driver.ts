import { createRequire } from 'node:module'
import { WfError } from '../errors'

/**
 * Loads a driver that users install themselves, because each needs only one.
 *
 * @throws WfError `WF_CONFIG` naming the package to install
 */
export function loadDriver<Driver>(name: string): Driver {
  try {
    return createRequire(import.meta.url)(name) as Driver
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    throw new WfError(
      'WF_CONFIG',
      `This database needs the package "${name}": npm install ${name}`,
      { cause: error },
    )
  }
}
