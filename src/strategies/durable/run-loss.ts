import type { WfError } from '../../errors'

/** Why a run is no longer this process's own. */
export class RunLoss {
  readonly #aborter = new AbortController()
  #error: WfError | undefined

  get error(): WfError | undefined {
    return this.#error
  }

  /** Fires when it is lost. A signal is dear, and so made when somebody asks for it. */
  get signal(): AbortSignal {
    return this.#aborter.signal
  }

  /** @returns the first that was told, as which it counts */
  tell(error: WfError): WfError {
    this.#error ??= error
    this.#aborter.abort(this.#error)
    return this.#error
  }
}
