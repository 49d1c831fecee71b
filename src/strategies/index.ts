export type { HandleStateStrategyOptions } from './handle/handle-options'
export { HandleStateStrategy } from './handle/handle-state-strategy'
export {
  type NamedStrategy,
  StrategyRegistry,
  type WfStateOption,
  type WfStrategyRegistry,
} from './registry/strategy-registry'
