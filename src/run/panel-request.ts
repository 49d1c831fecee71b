import { WfError } from '../errors'
import type { WfOutletRequest, WfPanelRequest } from '../outlets'
import {
  formatToken,
  seatOf,
  type WfPanel,
  type WfRecipient,
  type WfSeat,
  type WfSeatMessage,
  type WfState,
  type WfStepForm,
} from '../state'
import type { NamedStrategy } from '../strategies'
import { keepFresh } from './fresh-link'
import { pausedForm } from './paused-form'
import { recipientOf } from './recipient'
import type { RunConfig } from './run-config'

/** The button that every form has. */
const SUBMIT = 'submit'
const APPROVE = 'approve'

/** A request for several people, and what keeps their pause. */
export interface AskedPanel {
  readonly request: WfOutletRequest
  readonly target: NamedStrategy
  /** Those of the step. */
  readonly forms: readonly WfStepForm[] | undefined
}

/**
 * The people of a pause, as it keeps them.
 *
 * @param former those whom the same pause has asked before, whose answers count on
 * @throws WfError `WF_CONFIG` for forms that cannot be asked of several people
 */
export function panelFor(
  panel: WfPanelRequest,
  { request, target, forms }: AskedPanel,
  former?: WfPanel,
): WfPanel {
  assertPanels(target)
  const { people, needed, isFirst, agree, refuse, runsEach, canChange, showsAnswers } = panel
  const declared = people.map(({ form }) => declaredForm(form, forms))
  const hasActions = declared.some(({ actions }) => actions.length > 0)
  const seats = people.map(({ id, to, form, template, context, requireUser }): WfSeat => {
    const kept = former && seatOf(former, id)
    if (kept) return kept
    const message = { outlet: request.outlet, target: to, template, context }
    const user = requireUser === true ? to : requireUser
    return {
      id,
      recipient: recipientOf(message, target)!,
      form: pausedForm({ ...request, form }, forms)!,
      ...(user !== undefined && { user }),
    }
  })
  return {
    seats,
    rule: {
      needed,
      ...(isFirst && { isFirst }),
      agree: agree ?? [hasActions ? APPROVE : SUBMIT],
      refuse,
    },
    ...(runsEach && { runsEach: true as const }),
    ...(canChange && { canChange: true as const }),
    ...(showsAnswers && { showsAnswers: true as const }),
    ...(panel.except && { except: panel.except }),
  }
}

function assertPanels({ name, strategy }: NamedStrategy): void {
  if (strategy.guarantees?.panels) return
  throw new WfError(
    'WF_CONFIG',
    `outletEach() is for durable runs, and the strategy "${name}" cannot ask several people: its guarantees.panels is not true.`,
  )
}

/** What is answered is kept until it is decided. */
function declaredForm(form: unknown, forms: readonly WfStepForm[] | undefined): WfStepForm {
  const declared = forms?.find(({ type }) => type === form)
  if (!declared) {
    throw new WfError(
      'WF_CONFIG',
      'outletEach() names a form that its step does not declare: @WfInput({ form: TheForm, ask: false }).',
    )
  }
  if (!declared.isSensitive) return declared
  throw new WfError(
    'WF_CONFIG',
    `outletEach() keeps what is answered until it is decided, and the form "${declared.id}" asks for a secret.`,
  )
}

/** The message to one of the people, which brings their link. */
export function seatMessage(
  config: RunConfig,
  target: NamedStrategy,
  next: WfState,
  { id, recipient }: Pick<WfSeat, 'id' | 'recipient'>,
  request: Pick<WfOutletRequest, 'outlet' | 'fresh'>,
  told: WfRecipient['context'] = recipient.context,
): WfSeatMessage {
  const { outlet, template, target: to } = recipient
  const plan = { audience: 'out-of-band', target, next, request } as const
  return {
    seat: id,
    message: { outlet, request: { outlet, target: to, template, context: told } },
    prepare: (raw, expiresAt) =>
      keepFresh(config, plan, formatToken({ name: target.name, raw }), expiresAt, id),
  }
}
