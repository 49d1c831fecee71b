import { WfError } from '../errors'
import type { WfOutletRequest, WfPanelRequest, WfPerson, WfPersonCode } from '../outlets'
import {
  formatToken,
  seatOf,
  type WfPanel,
  type WfRecipient,
  type WfSeat,
  type WfSeatCode,
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
 * @throws WfError `WF_CONFIG` for forms that cannot be asked of several people, and codes that cannot be sent
 */
export function panelFor(
  config: Pick<RunConfig, 'outlets' | 'ledger'>,
  panel: WfPanelRequest,
  { request, target, forms }: AskedPanel,
  former?: WfPanel,
): WfPanel {
  assertPanels(target)
  const { people, needed, isFirst, agree, refuse, runsEach, canChange, showsAnswers } = panel
  const declared = people.map(({ form }) => declaredForm(form, forms))
  const hasActions = declared.some(({ actions }) => actions.length > 0)
  const seats = people.map(
    ({ id, to, form, template, context, requireUser, requireCode }): WfSeat => {
      const kept = former && seatOf(former, id)
      if (kept) return kept
      const message = { outlet: request.outlet, target: to, template, context }
      const user = requireUser === true ? to : requireUser
      const code = codeFor(config, request.outlet, requireCode)
      return {
        id,
        recipient: recipientOf(message, target)!,
        form: pausedForm({ ...request, form }, forms)!,
        ...(user !== undefined && { user }),
        ...(code && { code }),
      }
    },
  )
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

/** How somebody gets the code that they need, if they need one. */
function codeFor(
  { outlets, ledger }: Pick<RunConfig, 'outlets' | 'ledger'>,
  linkOutlet: string,
  required: WfPerson['requireCode'],
): WfSeatCode | undefined {
  if (!required) return undefined
  const { outlet, to, template }: WfPersonCode = required === true ? {} : required
  if (!ledger) {
    throw new WfError('WF_CONFIG', 'requireCode of outletEach() needs a ledger, which keeps codes.')
  }
  const name = outlet ?? linkOutlet
  if (outlets.get(name)?.tokenDelivery !== 'out-of-band') {
    throw new WfError(
      'WF_CONFIG',
      `requireCode of outletEach() sends codes by an outlet that delivers to others, and "${name}" is none.`,
    )
  }
  return {
    ...(outlet !== undefined && { outlet }),
    ...(to !== undefined && { to }),
    ...(template !== undefined && { template }),
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
