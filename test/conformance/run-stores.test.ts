import { WfRunStoreMemory } from '@atscript/moost-wf/store'
import { describeRunStore, FakeClock } from '@atscript/moost-wf/testing'

describeRunStore({
  name: 'memory',
  open: () => {
    const clock = new FakeClock()
    return { clock, store: new WfRunStoreMemory({ clock }) }
  },
})
