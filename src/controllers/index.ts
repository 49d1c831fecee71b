export { handlerDecorator } from './handler-decorator'
