import type { WfRunStore } from '@atscript/moost-wf/store'
import { vi } from 'vitest'

/** Does something behind so many reads of a run, before the next one. */
export function afterReads(runs: WfRunStore, reads: number, work: () => Promise<unknown>): void {
  const find = runs.find.bind(runs)
  const spy = vi.spyOn(runs, 'find')
  for (let read = 0; read < reads; read++) spy.mockImplementationOnce(find)
  spy.mockImplementationOnce(async (...asked) => {
    spy.mockRestore()
    await work()
    return find(...asked)
  })
}
