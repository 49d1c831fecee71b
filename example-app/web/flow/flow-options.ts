import { type WfClientOptions, withoutSecrets } from '@atscript/moost-wf/client'
import { fetchFirstForm } from './first-form'
import { fetchLinkOnly } from './link-only'
import { pageStorage } from './page-storage'

export const PATH = '/api/wf'

/** A workflow that the page starts, or goes on with. */
export const workflow = (name: string): WfClientOptions => ({
  path: PATH,
  name,
  fetch: fetchFirstForm(name),
  remember: withoutSecrets,
})

/** A workflow that somebody else has started: the page has a link to it, or nothing. */
export const linkedWorkflow = (name: string, page: string): WfClientOptions => ({
  path: PATH,
  name,
  fetch: fetchLinkOnly,
  storage: pageStorage(page),
  remember: withoutSecrets,
})
