/** For how long whoever goes on with a run by itself does so. */
export interface RunTerm {
  /** Asked behind each step: whether the run is handed on there. */
  isOver(): boolean
  /** Its signal, which is made when somebody asks for it, fires when not even the step that runs has any time left. */
  readonly cut: { readonly signal: AbortSignal }
}

/**
 * Ends the steps of a run that is handed on: it is saved behind the last of them, nobody holds it, and
 * somebody has to look at once.
 */
export class HandedOn extends Error {
  override readonly name = 'HandedOn'
}

/** Whether a run that has thrown this goes on elsewhere: its time was over. */
export function isHandedOn(
  { term }: { readonly term?: RunTerm | undefined },
  error: unknown,
): boolean {
  return error instanceof HandedOn || term?.cut.signal.aborted === true
}
