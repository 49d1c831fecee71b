export { wfPlugin, wfPlugin as default } from './wf-plugin'
