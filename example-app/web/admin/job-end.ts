import type { WfAdminJob } from '@atscript/moost-wf/admin'
import { getJob } from './runs-api'

const LOOK_MS = 300

/** Waits until a job is over. */
export async function jobEnd(id: string): Promise<WfAdminJob> {
  for (;;) {
    const job = await getJob(id)
    if (job.state !== 'running') return job
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}
