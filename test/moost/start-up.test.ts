import { Step, StepTTL, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../support/moost-app'

type Controllers = Parameters<typeof buildApp>[0]

const startUp = (...controllers: Controllers) => buildApp(controllers).app.init()

describe('a wrong declaration stops the start, naming the controller and the method', () => {
  it('a step that does not exist', async () => {
    class Auth {
      @Workflow('login')
      @WorkflowSchema(['password', { steps: [{ id: 'missing', condition: 'true' }] }])
      login() {}

      @Step('password')
      password() {}
    }
    Controller('auth')(Auth)
    await expect(startUp(Auth)).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: 'Workflow "auth/login" (Auth.login): No @Step is registered as "auth/missing".',
    })
  })

  it('a step id that is declared twice', async () => {
    class One {
      @Step('check')
      first() {}
    }
    class Two {
      @Step('/check')
      second() {}
    }
    Controller('a')(One)
    Controller('a')(Two)
    await expect(startUp(One, Two)).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: 'Step "a/check" is declared twice: One.first and Two.second.',
    })
  })

  it('a workflow id that is declared twice', async () => {
    class One {
      @Workflow('flow')
      @WorkflowSchema([])
      first() {}

      @Workflow('flow')
      @WorkflowSchema([])
      second() {}
    }
    Controller()(One)
    await expect(startUp(One)).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: 'Workflow "flow" is declared twice: One.first and One.second.',
    })
  })

  it('a workflow without a schema', async () => {
    class Bare {
      @Workflow('flow')
      start() {}
    }
    Controller()(Bare)
    await expect(startUp(Bare)).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: 'Workflow "flow" (Bare.start) has no @WorkflowSchema.',
    })
  })

  it.each([
    [
      '@WorkflowSchema',
      WorkflowSchema(['step']),
      'Odd.lonely has @WorkflowSchema, but no @Workflow.',
    ],
    ['@StepTTL', StepTTL(5), 'Odd.lonely has @StepTTL, but no @Step.'],
  ])('%s without its partner', async (_title, decorator, message) => {
    class Odd {
      @Step('step')
      step() {}

      @decorator
      lonely() {}
    }
    Controller()(Odd)
    await expect(startUp(Odd)).rejects.toMatchObject({ code: 'WF_CONFIG', message })
  })

  const malformed: [string, unknown][] = [
    ['not an array', { id: 'step' }],
    ['null', [null]],
    ['a number', [1]],
    ['an empty id', ['']],
    ['an object without a kind', [{ condition: 'true' }]],
    ['a step that is also a group', [{ id: 'step', steps: [] }]],
    ['a loop around a single step', [{ id: 'step', while: 'true' }]],
    ['a conditional break', [{ break: 'true', condition: 'true' }]],
    ['a condition that is a boolean', [{ id: 'step', condition: true }]],
    ['an empty condition', [{ id: 'step', condition: ' ' }]],
    ['a condition that is no expression', [{ break: 'x >' }]],
    ['a statement', [{ id: 'step', condition: 'x; y' }]],
    ['a misspelt key', [{ whlie: 'true', steps: [] }]],
    ['malformed deep inside', [{ steps: [{ while: 'true', steps: [{}] }] }]],
  ]
  it.each(malformed)('a schema that is malformed: %s', async (_title, schema) => {
    class Odd {
      @Workflow('flow')
      @WorkflowSchema(schema as never)
      flow() {}

      @Step('step')
      step() {}
    }
    Controller()(Odd)
    await expect(startUp(Odd)).rejects.toMatchObject({
      code: 'WF_CONFIG',
      message: expect.stringMatching(/^Workflow "flow" \(Odd\.flow\): .* malformed: /u),
    })
  })
})
