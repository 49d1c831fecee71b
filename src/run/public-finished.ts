import * as eventWf from '@wooksjs/event-wf'
import type { WfFinishedResponse } from './use-wf-finished'

type UseWfFinished = () => { get?(): WfFinishedResponse | undefined }

// Newer versions of that package have a `useWfFinished` of their own, which keeps what it is told in the
// event. Asked for by name: an import of a name that an older version lacks would not load.
const { useWfFinished } = eventWf as { readonly useWfFinished?: UseWfFinished }

/** What a step has said by the function of the same name that the workflow app's own package has. */
export function heardFinish(): WfFinishedResponse | undefined {
  return useWfFinished?.().get?.()
}
