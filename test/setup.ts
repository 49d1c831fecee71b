import { getMoostInfact } from 'moost'
import { clearGlobalWooks } from 'wooks'
import { afterEach } from 'vitest'

// Singletons and the global router outlive an app; without this one test's app would answer in the next.
afterEach(() => {
  getMoostInfact()._cleanup()
  clearGlobalWooks()
})
