export { assertInjected } from './assert-injected'
export { handlerDecorator } from './handler-decorator'
