import { getMoostInfact } from 'moost'
import { afterAll, afterEach } from 'vitest'
import { finishFile } from './support/file-end'

// Moost makes one instance of a controller per process, with what the first app has injected into it.
afterEach(() => {
  getMoostInfact()._cleanup()
})

afterAll(finishFile)

// Vitest ends a worker by SIGTERM, and kills it half a second later. What lives as long as the worker is
// ended when the process exits, which a signal that nobody listens to does not do.
if (process.listenerCount('SIGTERM') === 0) process.once('SIGTERM', () => process.exit())
