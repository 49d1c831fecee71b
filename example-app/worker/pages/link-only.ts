import type { WfFetch } from '@atscript/moost-wf/client'

const NO_LINK = { error: { code: 'WF_STATE_GONE', message: 'Please open the link in your mail.' } }

/**
 * For a page that only goes on with a link. It must never start the workflow, which would show the
 * form of whoever sends such links; that is answered as if a link were gone.
 */
export const fetchLinkOnly: WfFetch = async (url, init) =>
  isStart(init.body) ? { status: 410, text: async () => JSON.stringify(NO_LINK) } : fetch(url, init)

const isStart = (body: string | undefined): boolean =>
  body !== undefined && Object.hasOwn(JSON.parse(body) as object, 'wfid')
