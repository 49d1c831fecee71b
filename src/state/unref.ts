/** Lets a process end in spite of a timer. Other runtimes give numbers for timers, and wait for none. */
export function unref<Timer>(timer: Timer): Timer {
  ;(timer as { unref?(): void }).unref?.()
  return timer
}
