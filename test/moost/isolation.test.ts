import { MoostWf, Step, Workflow, WorkflowParam, WorkflowSchema } from '@atscript/moost-wf'
import { Get, HttpError, useCookies, useHeaders, useResponse } from '@atscript/moost-wf/http'
import {
  Controller,
  current,
  getMoostInfact,
  Injectable,
  Param,
  useControllerContext,
  useScopeId,
} from 'moost'
import { describe, expect, it } from 'vitest'
import { buildApp, startApp } from '../support/moost-app'
import { scaled } from '../support/scale'

let requestInstances = 0

@Injectable('FOR_EVENT')
class PerRequest {
  readonly id = ++requestInstances
}

@Controller('flow')
class Flow {
  constructor(readonly wf: MoostWf) {}

  @Workflow('run')
  @WorkflowSchema(['first/inner', 'second'])
  run() {}

  @Step('first/:part')
  async first(
    @WorkflowParam('context') ctx: { name: string; seen: string[] },
    @Param('part') part: string,
  ) {
    await new Promise(setImmediate)
    ctx.seen.push(part, String(useHeaders()['x-name']), String(useCookies().getCookie('who')))
    useResponse().setCookie('step', ctx.name).setHeader('x-step', ctx.name).setStatus(202)
  }

  @Step('second')
  second(@WorkflowParam('context') ctx: { name: string; seen: string[] }) {
    ctx.seen.push(useControllerContext().getMethod() ?? '')
  }

  @Workflow('nesting')
  @WorkflowSchema(['nest'])
  nesting() {}

  @Step('nest')
  async nest(
    @WorkflowParam('context') ctx: { seen: unknown[]; name: string },
    @WorkflowParam('resume') resume: boolean,
  ) {
    const inner = await this.wf.start(
      'flow/run',
      { name: ctx.name, seen: [] },
      { eventContext: current() },
    )
    ctx.seen.push(inner.finished, resume, useControllerContext().getMethod())
  }
}

@Injectable('FOR_EVENT')
@Controller('http')
class Http {
  constructor(
    readonly wf: MoostWf,
    readonly perRequest: PerRequest,
  ) {}

  @Get('run/:name')
  async run(@Param('name') name: string) {
    return this.observe(name, 'flow/run')
  }

  @Get('nest/:name')
  async nest(@Param('name') name: string) {
    return this.observe(name, 'flow/nesting')
  }

  private async observe(name: string, id: string) {
    const scope = useScopeId()
    const output = await this.wf.start(id, { name, seen: [] }, { eventContext: current() })
    const { getController, getMethod, instantiate } = useControllerContext()
    const again = await instantiate(PerRequest)
    return {
      finished: output.finished,
      context: output.state.context,
      param: current().get(await routeParams()).name,
      sameController: getController() === this,
      method: getMethod(),
      sameScope: useScopeId() === scope,
      sameInstance: again.id === this.perRequest.id,
    }
  }
}

const routeParams = async () => (await import('@wooksjs/event-core')).routeParamsKey

describe('after a run', () => {
  it('the HTTP handler still has its route params, its controller and its scope', async () => {
    const { url } = await startApp([Flow, Http])
    const response = await fetch(`${url}/http/run/ada`, {
      headers: { 'x-name': 'Ada', cookie: 'who=ada' },
    })
    expect(response.status).toBe(202)
    expect(response.headers.get('x-step')).toBe('ada')
    expect(response.headers.get('set-cookie')).toBe('step=ada')
    expect(await response.json()).toEqual({
      finished: true,
      context: { name: 'ada', seen: ['inner', 'Ada', 'ada', 'second'] },
      param: 'ada',
      sameController: true,
      method: 'run',
      sameScope: true,
      sameInstance: true,
    })
  })

  it('also when a step runs another workflow', async () => {
    const { url } = await startApp([Flow, Http])
    const response = await fetch(`${url}/http/nest/ada`)
    expect(await response.json()).toMatchObject({
      context: { seen: [true, false, 'nest'] },
      param: 'ada',
      sameController: true,
      method: 'nest',
      sameScope: true,
    })
  })

  it('60 parallel runs have stayed apart', async () => {
    const { url } = await startApp([Flow, Http])
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`)
    const answers = await Promise.all(
      names.map(async name => {
        const response = await fetch(`${url}/http/run/${name}`, { headers: { 'x-name': name } })
        const body = (await response.json()) as { param: string; context: { seen: string[] } }
        return [response.headers.get('x-step'), body.param, body.context.seen[1]]
      }),
    )
    expect(answers).toEqual(names.map(name => [name, name, name]))
  })
})

/** The container keeps its scopes in a private map; the test is about exactly that map. */
const openScopes = () =>
  (getMoostInfact() as unknown as { scopes: Map<string, unknown> }).scopes.size

describe('scopes', () => {
  it('do not leak, whether runs finish, pause or fail', async () => {
    @Injectable('FOR_EVENT')
    @Controller('leak')
    class Leaky {
      @Workflow('flow')
      @WorkflowSchema(['step'])
      flow() {}

      @Step('step')
      step(@WorkflowParam('input') input: number) {
        if (input % 3 === 1) return { inputRequired: true }
        if (input % 3 === 2) throw new HttpError(400, 'no')
      }
    }
    const { app, wf } = buildApp([Leaky])
    await app.init()
    const before = openScopes()
    for (let i = 0; i < scaled(3000, 10_000); i++) {
      await wf.start('leak/flow', {}, { input: i }).catch(() => undefined)
    }
    expect(openScopes()).toBe(before)
  })

  it('do not leak over HTTP, also when the client goes away', async () => {
    const { url, http } = await startApp([Flow, Http])
    const before = openScopes()
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const signal = i % 2 ? AbortSignal.timeout(1) : undefined
        await fetch(`${url}/http/run/n${i}`, { signal }).catch(() => undefined)
      }),
    )
    await http.close()
    await expect.poll(openScopes).toBe(before)
  })
})
