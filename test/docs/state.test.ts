import type { WfStateStrategy } from '@atscript/moost-wf'
import { describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
import { blockWith, runBlock } from '../support/example'

interface Example {
  readonly MapStrategy: new (clock: FakeClock) => WfStateStrategy
}

const sample = blockWith('docs/state.md', 'class MapStrategy')

describeStateStrategy({
  name: 'the sample of docs/state.md',
  open: async () => {
    const { MapStrategy } = await runBlock<Example>('docs/state.md', sample)
    const clock = new FakeClock()
    return { clock, strategy: new MapStrategy(clock) }
  },
  lacks: { claims: 'the sample has the three methods only' },
})
