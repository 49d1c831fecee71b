import {
  createWfClient,
  type WfClient,
  type WfClientOptions,
  type WfClientState,
  type WfClientTypes,
} from '@atscript/moost-wf/client'
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** A workflow for a component: what a client does, and its state as a ref. */
export interface WfClientInVue<W extends WfClientTypes> extends Omit<WfClient<W>, 'state'> {
  readonly state: Readonly<ShallowRef<WfClientState<W>>>
}

/** A client whose state is a ref for as long as the component lives. */
export function useWfClient<W extends WfClientTypes = WfClientTypes>(
  options: WfClientOptions,
): WfClientInVue<W> {
  const client = createWfClient<W>(options)
  const state = shallowRef(client.state)
  onScopeDispose(
    client.subscribe(next => {
      state.value = next
    }),
  )
  return { ...client, state }
}
