/** What the work gives, or nothing if it throws. */
export const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    // Whoever asks can do without.
  }
}
