export type { D1Answer, D1Binding, D1Statement } from './d1-binding'
export { openD1, type OpenD1Options } from './open-d1'
