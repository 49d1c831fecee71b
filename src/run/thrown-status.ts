/**
 * The status that a thrown error names, if it names one: wooks' `HttpError` does, and so may any other.
 */
export function statusOfThrown(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const { statusCode, body } = error as { statusCode?: unknown; body?: { statusCode?: unknown } }
  const status = body?.statusCode ?? statusCode
  return typeof status === 'number' ? status : undefined
}

/** The same, if it says that a step has refused the request rather than failed. */
export function refusedStatusOf(error: unknown): number | undefined {
  const status = statusOfThrown(error)
  return status !== undefined && status >= 400 && status < 500 ? status : undefined
}
