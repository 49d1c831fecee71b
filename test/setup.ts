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
