import type { WfRunView } from '../../runs'
import type { Admin } from '../admin-routes'
import { hideTokens } from '../hide-tokens'
import { redactContext } from '../redact-context'

/**
 * The runs whose contexts hold a text. Only what may be shown is looked at: to find a secret, or a live link,
 * would be to tell it letter by letter.
 *
 * @param wanted in small letters
 */
export async function lookInside(
  { store, isSecret }: Pick<Admin, 'store' | 'isSecret'>,
  runs: readonly WfRunView[],
  wanted: string,
): Promise<ReadonlySet<string>> {
  const shown = runs.map(({ flowId, context }) => ({
    flowId,
    context: redactContext(context, { isSecret, hide: [] }),
  }))
  const candidates = shown.filter(({ context }) => holds(context, wanted))
  const found = new Set<string>()
  // Each by itself: what is shown of one does not depend on how much there is of the others.
  for (const { flowId, context } of candidates) {
    const hidden = await hideTokens(context, texts => store.handlesAmong(texts))
    if (holds(hidden, wanted)) found.add(flowId)
  }
  return found
}

function holds(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value) === wanted
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(part => holds(part, wanted))
}
