export { systemClock, type Clock } from './clock'
export type { WfDescription, WfStepPosition } from './wf-description'
export type { WfState } from './wf-state'
