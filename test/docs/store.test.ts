import type { WfStateStore } from '@atscript/moost-wf'
import { describeStateStore, FakeClock } from '@atscript/moost-wf/testing'
import { blockWith, runBlock } from '../support/example'

interface Example {
  readonly MapStore: new (clock: FakeClock) => WfStateStore
}

const sample = blockWith('docs/store.md', 'class MapStore')

describeStateStore({
  name: 'the sample of docs/store.md',
  open: async () => {
    const { MapStore } = await runBlock<Example>('docs/store.md', sample)
    const clock = new FakeClock()
    return { clock, store: new MapStore(clock) }
  },
  lacks: { versions: 'the sample does not count writes' },
})
