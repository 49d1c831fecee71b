import { tellClassesApart } from './tell-classes-apart'

/** A decorator that makes a method a handler, and its class one that Moost tells from all others. */
export function handlerDecorator(decorate: MethodDecorator): MethodDecorator {
  return (prototype, method, descriptor) => {
    tellClassesApart(prototype.constructor)
    return decorate(prototype, method, descriptor)
  }
}
