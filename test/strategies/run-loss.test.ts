import { WfError } from '@atscript/moost-wf'
import { expect, it } from 'vitest'
import { RunLoss } from '../../src/strategies/durable/run-loss'

it('a run is lost once: whoever finds out later is told the same', () => {
  const loss = new RunLoss()
  const first = new WfError('WF_TIMEOUT', 'Too long.')
  expect(loss.tell(first)).toBe(first)
  expect(loss.tell(new WfError('WF_CONFLICT', 'Another has it.'))).toBe(first)
  expect([loss.error, loss.signal.reason]).toEqual([first, first])
})
