import {
  createAsHttpOutlet,
  createEmailOutlet,
  finishWf,
  HandleStateStrategy,
  outletEmail,
  Step,
  useAtscriptWf,
  WfAction,
  type WfEmail,
  type WfForm,
  WfInput,
  WfLedgerMemory,
  type WfOutletConfig,
  type WfOutletRequest,
  WfStateStoreMemory,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { HttpError, useHeaders } from '@atscript/moost-wf/http'
import { useWfState } from '@wooksjs/event-wf'
import { Controller, defineBeforeInterceptor, Intercept, TInterceptorPriority } from 'moost'
import { DecisionForm } from '../fixtures/schemas/decision-form.as'
import { openFormApp } from './form-app'
import { request } from './shop'

interface Leave {
  reason: string
  secret: string
  tries?: number
  decision?: string | undefined
}

type LinkOptions = Pick<WfOutletRequest, 'link' | 'showContext' | 'usedNote' | 'fresh' | 'code'>

interface ApprovalOptions {
  readonly config?: Partial<WfOutletConfig>
  /** What the pause says beside its form. */
  readonly link?: LinkOptions
  /** The form of this build. */
  readonly form?: WfForm
  /** The form that the pause names. */
  readonly named?: WfForm
  /** Whether the steps look at who asks. @default true */
  readonly guarded?: boolean
  /** Awaited in the step that decides. */
  whileDeciding?(): Promise<void>
  /** Told of what the step that decides was given. */
  onInput?(input: unknown): void
}

/** An endpoint where somebody asks for leave, and somebody else decides by a link. */
export async function openApprovals({
  config,
  link = {},
  form = DecisionForm,
  named = form,
  guarded = true,
  whileDeciding,
  onInput,
}: ApprovalOptions = {}) {
  const mails: WfEmail[] = []
  const ran: string[] = []
  const ledger = new WfLedgerMemory()
  const store = new WfStateStoreMemory()
  let cookie = ''

  /** Knows the flow, and refuses one person. */
  const guard = defineBeforeInterceptor(() => {
    const { secret } = useWfState().ctx<Leave>()
    const user = guarded && useHeaders()['x-user']
    if (user === 'eve' || (secret && user === 'mallory')) throw new HttpError(403, 'Not yours.')
  }, TInterceptorPriority.GUARD)

  @Controller('leave')
  class Leaves {
    @Workflow('request')
    @WorkflowSchema<Leave>(['ask', 'decide', 'end'])
    request() {
      ran.push('request')
    }

    @Step('ask')
    ask(@WorkflowParam('context') ctx: Leave) {
      ctx.reason = 'the sea'
      ctx.secret = 'never shown'
    }

    @Step('decide')
    @Intercept(guard)
    async decide(
      @WorkflowParam('context') ctx: Leave,
      @WfAction(form) action?: string,
      @WfInput({ form, ask: false, pass: true }) input?: { decision: string; comment?: string },
    ) {
      ran.push('decide')
      if (!input && !action) {
        return outletEmail('boss@example.com', 'decide', {}, { form: named, ...link })
      }
      onInput?.(input)
      await whileDeciding?.()
      ctx.tries = (ctx.tries ?? 0) + 1
      if (input?.comment === 'hm') {
        useAtscriptWf(form).requireInput({ errors: { comment: 'Say more.' } })
      }
      ctx.decision = input?.decision ?? action
    }

    @Workflow('express')
    @WorkflowSchema<Leave>(['reason', 'end'])
    express() {
      ran.push('express')
    }

    @Step('reason')
    @Intercept(guard)
    reason(@WfInput({ form: DecisionForm }) input: { decision: string }) {
      ran.push('reason')
      void input
    }

    @Workflow('shy')
    @WorkflowSchema<Leave>([{ id: 'reason', condition: () => true }, 'end'])
    shy() {}

    @Step('end')
    end(@WorkflowParam('context') ctx: Leave) {
      finishWf({ data: { decision: ctx.decision, tries: ctx.tries } })
    }
  }

  const app = await openFormApp(Leaves, {
    state: new HandleStateStrategy({ store }),
    ledger,
    outlets: [createAsHttpOutlet(), createEmailOutlet(async mail => void mails.push(mail))],
    ...config,
  })
  return {
    ...app,
    mails,
    ran,
    ledger,
    store,
    /** Asks for leave. @returns the token in the mail */
    async ask(): Promise<string> {
      const { headers } = await app.send({ wfid: 'leave/request' })
      cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
      ran.length = 0
      return mails.at(-1)!.token
    },
    /** What the browser keeps that has asked. */
    browserCookie: () => cookie,
    /** The first form of a workflow. */
    describe: (wfid: string, headers: Record<string, string> = {}) =>
      request(app.url, undefined, { method: 'GET', query: `?wfid=${wfid}`, headers }),
    look(wfs: string, headers: Record<string, string> = {}) {
      const query = `?wfs=${encodeURIComponent(wfs)}`
      return request(app.url, undefined, { method: 'GET', query, headers })
    },
  }
}

export type Approvals = Awaited<ReturnType<typeof openApprovals>>
