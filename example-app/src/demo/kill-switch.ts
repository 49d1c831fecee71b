import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Kills this process on request, to show that nothing is lost. */
export class KillSwitch {
  /** Another process has another one: by it a page knows that the server was started again. */
  readonly processId = randomUUID()

  constructor(readonly isThere: boolean) {}

  /** SIGKILL once the answer is out: nothing is finished, flushed or closed. */
  killAfter(response: ServerResponse): void {
    response.once('close', () => process.kill(process.pid, 'SIGKILL'))
  }
}
