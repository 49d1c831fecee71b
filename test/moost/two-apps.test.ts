import { MoostWf, Step, Workflow, WorkflowParam, WorkflowSchema } from '@atscript/moost-wf'
import type { MoostWfOptions } from '@atscript/moost-wf/moost'
import { Controller, Moost, useLogger } from 'moost'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

/** The same ids in each app, and steps that say whose they are. */
function flowsOf(name: string, extra: string) {
  @Controller('flow')
  class Flows {
    @Workflow('run')
    @WorkflowSchema(['say', 'of/whom'])
    run() {}

    @Step('say')
    say(@WorkflowParam('context') ctx: { said: string[] }) {
      ctx.said.push(name)
    }

    @Step('of/:who')
    of(@WorkflowParam('context') ctx: { said: string[] }) {
      ctx.said.push(`of ${name}`)
    }
  }

  class Extra {
    @Workflow(extra)
    @WorkflowSchema(['only'])
    run() {}

    @Step('only')
    only() {}
  }
  Controller(extra)(Extra)
  return [Flows, Extra]
}

async function twoApps() {
  const apps = [buildApp(flowsOf('one', 'a')), buildApp(flowsOf('two', 'b'))]
  for (const { app } of apps) await app.init()
  return apps.map(({ wf }) => wf) as [MoostWf, MoostWf]
}

describe('two workflow apps in one process', () => {
  it('run their own steps, also when the ids are the same', async () => {
    const [one, two] = await twoApps()
    const said = async (wf: MoostWf) =>
      (await wf.start('flow/run', { said: [] })).state.context.said
    expect(await said(one)).toEqual(['one', 'of one'])
    expect(await said(two)).toEqual(['two', 'of two'])
  })

  it('do not know the flows of the other', async () => {
    const [one, two] = await twoApps()
    expect((await one.start('a/a', {})).finished).toBe(true)
    await expect(one.start('b/b', {})).rejects.toMatchObject({ code: 'WF_UNKNOWN' })
    await expect(two.start('a/a', {})).rejects.toMatchObject({ code: 'WF_UNKNOWN' })
    const route = (wf: MoostWf, id: string) =>
      wf
        .getWfApp()
        .getWooks()
        .getRouter()
        .lookup('WF_FLOW' as 'GET', id)
    expect(route(one, '/a/a')).toBeTruthy()
    expect(route(two, '/a/a')).toBeFalsy()
  })

  it('log where their own app logs, or where they are told to', async () => {
    const lines: string[] = []
    const logTo = (name: string) => {
      const note = (...texts: unknown[]) => void lines.push(`${name}: ${texts.join(' ')}`)
      return { fatal: note, error: note, warn: note, log: note, info: () => {}, debug: note }
    }
    @Controller('log')
    class Logs {
      @Workflow('run')
      @WorkflowSchema(['step'])
      run() {}

      @Step('step')
      step() {
        useLogger().warn('here')
      }
    }
    const run = async (name: string, options: MoostWfOptions) => {
      const app = new Moost({ logger: logTo(name) as never })
      const wf = app.adapter(new MoostWf(options))
      await app.registerControllers(Logs).init()
      await wf.start('log/run', {})
    }
    await run('one', {})
    await run('two', { logger: logTo('own') as never })
    expect(lines).toEqual(['one: here', 'own: here'])
  })

  it('do not take a step of the other for their own', async () => {
    class Borrower {
      @Workflow('flow')
      @WorkflowSchema(['/a/only'])
      flow() {}
    }
    Controller('borrower')(Borrower)
    await buildApp(flowsOf('one', 'a')).app.init()
    await expect(buildApp([Borrower]).app.init()).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })
})
