type End = () => void | Promise<void>

const ends: End[] = []

/** Ends something behind the last test of the file, the newest first. Can be called in a hook as well. */
export function onFileFinished(end: End): void {
  ends.unshift(end)
}

/** The set-up of every test file calls it: an `afterAll` inside of a `beforeAll` is never called. */
export async function finishFile(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
