import type { WfPauseOptions } from '../../state'

/**
 * For how long a pause can be resumed, in milliseconds; `Infinity` for one without an end.
 *
 * @param defaultTtl what the strategy says where the step does not
 */
export function lifetimeOf(
  { ttl, fallbackTtl, atMost = Infinity }: Partial<WfPauseOptions>,
  defaultTtl: number | undefined,
): number {
  return Math.min(ttl ?? defaultTtl ?? fallbackTtl ?? Infinity, atMost)
}
