import { createWfAdminController } from '@atscript/moost-wf/admin'
import { Get, useHeaders } from '@atscript/moost-wf/http'
import { Step, Workflow, WorkflowParam, WorkflowSchema } from '@atscript/moost-wf/moost'
import { Controller, Inherit } from 'moost'
import { describe, expect, it } from 'vitest'
import { openExpenses } from '../support/expense-store'
import { buildApp, startApp } from '../support/moost-app'

const text = async (url: string) => (await fetch(url)).text()

describe('classes of the same text', () => {
  it('are two controllers when one function has made them', async () => {
    const make = (name: string) => {
      class Made {
        @Get()
        name() {
          return name
        }
      }
      Controller(name)(Made)
      return Made
    }
    const { url } = await startApp([make('one'), make('two')])
    expect(await text(`${url}/one/name`)).toBe('one')
    expect(await text(`${url}/two/name`)).toBe('two')
  })

  it('are two controllers when they extend the same one', async () => {
    @Controller('base')
    class Base {
      @Get('page')
      page() {
        return this.name()
      }

      name() {
        return 'base'
      }
    }
    const make = (name: string) => {
      @Inherit()
      class Made extends Base {
        override name() {
          return name
        }
      }
      Controller(name)(Made)
      return Made
    }
    const { url } = await startApp([Base, make('one'), make('two')])
    expect(await text(`${url}/base/page`)).toBe('base')
    expect(await text(`${url}/one/page`)).toBe('one')
    expect(await text(`${url}/two/page`)).toBe('two')
  })

  it('have steps of their own', async () => {
    const make = (name: string) => {
      class Made {
        @Workflow('run')
        @WorkflowSchema(['say'])
        run() {}

        @Step('say')
        say(@WorkflowParam('context') ctx: { said?: string }) {
          ctx.said = name
        }
      }
      Controller(name)(Made)
      return Made
    }
    const { app, wf } = buildApp([make('one'), make('two')])
    await app.init()
    expect((await wf.start('one/run', {})).state.context).toEqual({ said: 'one' })
    expect((await wf.start('two/run', {})).state.context).toEqual({ said: 'two' })
  })
})

describe('two admin APIs in one app', () => {
  it('ask each its own guard', async () => {
    const { store } = await openExpenses()
    const behind = (prefix: string, word: string) =>
      createWfAdminController({ store, prefix, guard: () => useHeaders()['x-word'] === word })
    const { url } = await startApp([behind('one', 'sesame'), behind('two', 'simsim')])
    const ask = async (path: string, word: string) =>
      (await fetch(`${url}/${path}/counts`, { headers: { 'x-word': word } })).status
    expect(await ask('one', 'sesame')).toBe(200)
    expect(await ask('two', 'simsim')).toBe(200)
    expect(await ask('one', 'simsim')).toBe(403)
    expect(await ask('two', 'sesame')).toBe(403)
  })
})
