import { getMoostInfact } from 'moost'
import { clearGlobalWooks } from 'wooks'
import { afterAll, afterEach } from 'vitest'
import { finishFile } from './support/file-end'

// Singletons and the global router outlive an app; without this one test's app would answer in the next.
afterEach(() => {
  getMoostInfact()._cleanup()
  clearGlobalWooks()
})

afterAll(finishFile)

// Vitest ends a worker by SIGTERM, and kills it half a second later. What lives as long as the worker is
// ended when the process exits, which a signal that nobody listens to does not do.
if (process.listenerCount('SIGTERM') === 0) process.once('SIGTERM', () => process.exit())
