import { Controller } from 'moost'
import { HttpMethod } from '../http'
import { ADMIN_ROUTES } from './admin-routes'
import { AdminJobs } from './admin-jobs'
import { answerRequest } from './answer-request'
import { RUN_ROUTES } from './runs/run-routes'
import { resolveWfAdminOptions, type WfAdminOptions } from './wf-admin-options'

/** A class to register with `app.registerControllers()`. */
export type WfAdminController = new () => object

/**
 * The HTTP side of an admin console for paused flows, as a Moost controller. Each request passes the
 * guard first. Flows are named by the id of their row: handles, which are live links, never leave
 * the store, and contexts are shown without their secrets.
 *
 * @throws WfError `WF_CONFIG`, also without a guard
 * @example
 * ```ts
 * import { MoostWf } from '@atscript/moost-wf'
 * import { createWfAdminController } from '@atscript/moost-wf/admin'
 * import { useAuthorization } from '@atscript/moost-wf/http'
 * import { Moost } from 'moost'
 * import { wfStore } from './stores/wf-store'
 *
 * const app = new Moost()
 * const wf = app.adapter(new MoostWf())
 * const WfAdmin = createWfAdminController({
 *   store: wfStore,
 *   wf,
 *   guard: () => useAuthorization().credentials() === process.env.ADMIN_TOKEN,
 * })
 * app.registerControllers(WfAdmin)
 * ```
 */
export function createWfAdminController(options: WfAdminOptions): WfAdminController {
  const resolved = resolveWfAdminOptions(options)
  const admin = { ...resolved, jobs: new AdminJobs(resolved.store.clock) }
  // oxlint-disable-next-line typescript/no-extraneous-class -- its methods follow
  class WfAdmin {}
  // Made in one place, so that no route can be without the guard.
  const routes = resolved.runs ? [...ADMIN_ROUTES, ...RUN_ROUTES] : ADMIN_ROUTES
  for (const { name, method, path, handle } of routes) {
    const answer = () => answerRequest(resolved, () => handle(admin))
    const property = { value: answer, writable: true, configurable: true }
    Object.defineProperty(WfAdmin.prototype, name, property)
    HttpMethod(method, path)(WfAdmin.prototype, name, property)
  }
  Controller(resolved.prefix)(WfAdmin)
  return WfAdmin
}
