import { createApp, h } from 'vue'
import WfFlow from '../components/WfFlow.vue'

// A workflow on its own. For tests; no part of the app that is built.
const options = { path: '/api/wf', name: 'users/invite' }

createApp(() => h(WfFlow, { options })).mount('#flow')
