import type { WfStateStore } from '@atscript/moost-wf'
import { describeStateStore, FakeClock } from '@atscript/moost-wf/testing'
import { blocksOf, runBlock } from '../support/example'

interface Example {
  readonly MapStore: new (clock: FakeClock) => WfStateStore
}

const sample = blocksOf('docs/store.md', 'ts').find(block => block.includes('class MapStore'))!

describeStateStore({
  name: 'the sample of docs/store.md',
  open: async () => {
    const { MapStore } = await runBlock<Example>('docs/store.md', sample)
    const clock = new FakeClock()
    return { clock, store: new MapStore(clock) }
  },
  lacks: { versions: 'the sample does not count writes' },
})
