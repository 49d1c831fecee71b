export {
  describeStateStrategy,
  type OpenedStrategy,
  type StateStrategySuite,
  type StrategyLacks,
} from './describe-state-strategy'
export { FakeClock } from './fake-clock'
export { race } from './race'
