import { MoostWf, Step } from '@atscript/moost-wf'
import { Get, MoostHttp } from '@atscript/moost-wf/http'
import { Controller, createLogger, createProvideRegistry, Inject, Injectable, Moost } from 'moost'
import { describe, expect, it } from 'vitest'

type Type = new (...args: never[]) => object

/** What a compiler makes of a decorated class that emits no metadata: the decorators, and no more. */
function withoutMetadata<T extends Type>(type: T, decorate: (type: T) => void = () => {}): T {
  const method = Object.getOwnPropertyDescriptor(type.prototype, 'handle')!
  Get('x')(type.prototype, 'handle', method)
  Step('x')(type.prototype, 'handle', method)
  decorate(type)
  Controller()(type)
  return type
}

async function start(type: Type, adapter: 'http' | 'workflow'): Promise<void> {
  const logger = createLogger({ level: 0 })
  const app = new Moost({ logger })
  app.adapter(adapter === 'http' ? new MoostHttp({ logger }) : new MoostWf({ logger }))
  app.setProvideRegistry(createProvideRegistry(['a service', () => ({})]))
  await app.registerControllers(type as never).init()
}

describe.each(['http', 'workflow'] as const)('an application with the %s adapter', adapter => {
  it('does not start when the compiler does not say what a constructor takes', async () => {
    class Broken {
      constructor(readonly wf: object) {}
      handle() {}
    }
    const starting = start(withoutMetadata(Broken), adapter)
    await expect(starting).rejects.toMatchObject({ code: 'WF_CONFIG' })
    await expect(starting).rejects.toThrow(/constructor of Broken .* emitDecoratorMetadata/u)
  })

  it('does not start when that is so for the class that it extends', async () => {
    class Base {
      constructor(readonly wf: object) {}
      handle() {}
    }
    class Derived extends Base {
      override handle() {}
    }
    await expect(start(withoutMetadata(Derived), adapter)).rejects.toThrow(/of Derived/u)
  })

  it('starts when a decorator says what is injected', async () => {
    class Told {
      constructor(readonly wf: object) {}
      handle() {}
    }
    const told = withoutMetadata(Told, type => Inject('a service')(type, undefined, 0))
    await expect(start(told, adapter)).resolves.toBeUndefined()
  })

  it('starts with what was compiled as it should be, and with nothing to inject', async () => {
    @Injectable()
    class Service {
      readonly name = 'service'
    }

    @Controller()
    class Compiled {
      constructor(readonly service: Service) {}

      @Get('x')
      @Step('x')
      handle() {}
    }
    class Plain {
      handle() {}
    }
    await expect(start(Compiled, adapter)).resolves.toBeUndefined()
    await expect(start(withoutMetadata(Plain), adapter)).resolves.toBeUndefined()
  })
})
