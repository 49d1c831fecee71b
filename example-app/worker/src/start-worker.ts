import { createApp } from './app'
import { handleEvents } from './handle-events'
import { refuseEvents } from './refuse-events'
import { readSettings } from './settings/read-settings'
import { SettingProblem } from './settings/setting-problem'
import type { WorkerEnv } from './worker-env'
import type { WorkerHandlers } from './worker-events'

/** The Worker, or one that says in a sentence what is wrong with its settings. */
export async function startWorker(env: WorkerEnv): Promise<WorkerHandlers> {
  try {
    const settings = readSettings(env)
    return handleEvents(await createApp(settings, env), settings)
  } catch (error) {
    if (error instanceof SettingProblem) return refuseEvents(error.message)
    throw error
  }
}
