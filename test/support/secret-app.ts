import { randomBytes } from 'node:crypto'
import {
  createAsHttpOutlet,
  createEmailOutlet,
  createWfRuns,
  finishWf,
  outletEmail,
  outletHttp,
  Step,
  useWfFacts,
  type WfEmail,
  WfInput,
  WfLedgerMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import type { WfRunStore } from '@atscript/moost-wf/store'
import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
import type { Logger } from '@wooksjs/event-core'
import { Controller } from 'moost'
import { CodeForm } from '../fixtures/schemas/code-form.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { openFormApp } from './form-app'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const random = (name: string) => `${name}-${randomBytes(12).toString('hex')}`

/** What people type, endpoints know and steps make, and nobody is to read. */
export const newSecrets = () => ({
  password: random('password'),
  code: String(100_000 + Math.floor(Math.random() * 900_000)),
  answer: random('answer'),
  fact: random('fact'),
  input: random('input'),
  message: random('message'),
  mailed: random('mailed'),
})

interface Vault {
  email?: string
  apiKey?: string
}

/** So long that no process says in time that it is alive. */
export const LEASE_MS = 600_000

/** An endpoint with a workflow that meets all of these secrets, on durable runs. */
export async function openSecretApp(runs: WfRunStore, secrets: ReturnType<typeof newSecrets>) {
  const mails: WfEmail[] = []
  /** What the step does that was answered. */
  const does = { wish: (): unknown => undefined, link: 'anyDevice' as 'anyDevice' | 'sameBrowser' }

  @Controller('vault')
  class Vaults {
    @Workflow('open')
    @WorkflowSchema<Vault>(['login', 'wish', 'enter', 'last'])
    open() {}

    @Workflow('quiet')
    @WorkflowSchema<Vault>(['wish', 'last'])
    quiet() {}

    @Step('login')
    login(@WorkflowParam('context') ctx: Vault, @WfInput() input: LoginForm) {
      ctx.email = input.email
    }

    @Step('wish')
    wish(@WorkflowParam('input') input?: object) {
      return input ? does.wish() : outletHttp({ ask: 'wish' })
    }

    @Step('enter')
    enter(@WfInput({ form: CodeForm, ask: false }) input?: CodeForm) {
      const { link } = does
      const context = { code: secrets.mailed }
      if (!input) return outletEmail('boss@example.com', 'enter', context, { form: CodeForm, link })
    }

    @Step('last')
    last(@WorkflowParam('context') ctx: Vault) {
      void useWfFacts()
      finishWf({ data: { apiKey: ctx.apiKey } })
    }
  }

  const state = new DurableStateStrategy({ runs, secret: randomBytes(32), leaseMs: LEASE_MS })
  const config = {
    state,
    ledger: new WfLedgerMemory(),
    outlets: [createAsHttpOutlet(), createEmailOutlet(async mail => void mails.push(mail))],
    facts: () => ({ address: secrets.fact }),
  }
  const app = await openFormApp(Vaults, config)
  const api = createWfRuns({ ...config, logger: SILENT, worker: false }, app.wf)
  const login = { email: 'ada@example.com', password: secrets.password }
  /** Signs in. @returns both tokens */
  const signIn = async () => {
    const first: string = (await app.send({ wfid: 'vault/open' })).body.wfs
    const second: string = (await app.send({ wfs: first, input: login })).body.wfs
    return [first, second] as const
  }
  return { ...app, api, mails, does, signIn }
}
