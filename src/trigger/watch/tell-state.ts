import { useResponse } from '@wooksjs/event-http'
import { watchPause } from '../../run'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/**
 * Tells what became of something that was sent to someone else. A cookie has no say in it.
 *
 * @throws Rejection
 */
export async function tellState(config: ResolvedOutletConfig, watch: string): Promise<unknown> {
  const state = await watchPause(config, watch)
  useResponse().setStatus(200)
  return { watching: true, ...state }
}
