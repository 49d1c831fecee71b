import { watchWf, type WfWatched } from '@atscript/moost-wf/client'
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue'
import { PATH } from './flow-options'

/** What becomes of something that this page has sent to someone, for as long as the component lives. */
export function useWatched(
  watch: string,
  forget: (watch: string) => void,
): Readonly<ShallowRef<WfWatched | undefined>> {
  const seen = shallowRef<WfWatched>()
  const controller = new AbortController()
  void watchWf({ path: PATH, watch, forget, signal: controller.signal }, next => {
    seen.value = next
  })
  onScopeDispose(() => controller.abort())
  return seen
}
