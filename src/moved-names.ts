// Names that have moved to a subpath. They are gone from here in the version after this one.
import * as forms from './forms'
import type { WfForm } from './forms'
import * as moost from './moost'
import * as outlets from './outlets'
import * as run from './run/public'
import * as store from './store'
import * as strategies from './strategies/public'
import * as trigger from './trigger/public'

// To @atscript/moost-wf/forms

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type AbortWfOptions = forms.AbortWfOptions

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type AtscriptWf<D> = forms.AtscriptWf<D>

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type FinishWfOptions = forms.FinishWfOptions

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type RequireInputOptions = forms.RequireInputOptions

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type ResolvedInput<D, O extends forms.ResolveInputOptions> = forms.ResolvedInput<D, O>

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type ResolveInputOptions = forms.ResolveInputOptions

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type WfFieldErrors = forms.WfFieldErrors

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type WfFormAction = forms.WfFormAction

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type WfFormData<F extends WfForm> = forms.WfFormData<F>

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type WfInputOptions = forms.WfInputOptions

/** @deprecated Import it from `@atscript/moost-wf/forms`. */
export type WfPartialData<D> = forms.WfPartialData<D>

// To @atscript/moost-wf/moost

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type MoostWfOptions = moost.MoostWfOptions

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfCarryOver = moost.WfCarryOver

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfCheckpoint = moost.WfCheckpoint

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfDescriber = moost.WfDescriber

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfDescription = moost.WfDescription

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfGroupPosition = moost.WfGroupPosition

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
// oxlint-disable-next-line typescript/no-explicit-any -- as where it has moved to
export type WfMigrate<T = any> = moost.WfMigrate<T>

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfMigrated<T = unknown> = moost.WfMigrated<T>

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfPausedAt = moost.WfPausedAt

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfRunOptions<I = unknown, T = unknown, IR = unknown> = moost.WfRunOptions<I, T, IR>

/** @deprecated Import it from `@atscript/moost-wf/moost`. */
export type WfStepPosition = moost.WfStepPosition

// To @atscript/moost-wf/outlets

/** @deprecated Import it from `@atscript/moost-wf/outlets`. */
export type HttpOutletOptions = outlets.HttpOutletOptions

/** @deprecated Import it from `@atscript/moost-wf/outlets`. */
export type WfLinkPolicy = outlets.WfLinkPolicy

/** @deprecated Import it from `@atscript/moost-wf/outlets`. */
export type WfOutletPause = outlets.WfOutletPause

// To @atscript/moost-wf/run

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export const isWfFinished = run.isWfFinished

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfAttempt = run.WfAttempt

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfAttemptsOptions = run.WfAttemptsOptions

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfFinish = run.WfFinish

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfFinished = run.WfFinished

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfFinishedResult = run.WfFinishedResult

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfMove = run.WfMove

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfPausedResult = run.WfPausedResult

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfPeekResult = run.WfPeekResult

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfRefusedResult = run.WfRefusedResult

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfResumeOptions = run.WfResumeOptions

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfRunConfig<N extends string = string> = run.WfRunConfig<N>

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfRunner = run.WfRunner

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfRunnerConfig<N extends string = string> = run.WfRunnerConfig<N>

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfRunOutput = run.WfRunOutput

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfSentResult = run.WfSentResult

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfStartLimit = run.WfStartLimit

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfStartOptions = run.WfStartOptions

/** @deprecated Import it from `@atscript/moost-wf/run`. */
export type WfTriggerRunOptions = run.WfTriggerRunOptions

// To @atscript/moost-wf/store

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type AsWfLedgerOptions = store.AsWfLedgerOptions

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type AsWfStoreOptions<Row extends object = object> = store.AsWfStoreOptions<Row>

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type Clock = store.Clock

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfLedger = store.WfLedger

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfLedgerCleanupOptions = store.WfLedgerCleanupOptions

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfLedgerEntry = store.WfLedgerEntry

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfLedgerKind = store.WfLedgerKind

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfLedgerTable = store.WfLedgerTable

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfSetOptions = store.WfSetOptions

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfStoredState = store.WfStoredState

/** @deprecated Import it from `@atscript/moost-wf/store`. */
export type WfTakeOptions = store.WfTakeOptions

// To @atscript/moost-wf/strategies

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export const createJoseCipher = strategies.createJoseCipher

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export const createNodeCipher = strategies.createNodeCipher

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type EncapsulatedStateStrategyOptions = strategies.EncapsulatedStateStrategyOptions

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type HandleStateStrategyOptions = strategies.HandleStateStrategyOptions

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export const isRefusal = strategies.isRefusal

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type TokenCipher = strategies.TokenCipher

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type TokenCipherFactory = strategies.TokenCipherFactory

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type TokenCipherOptions = strategies.TokenCipherOptions

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfAudience = strategies.WfAudience

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfClaim = strategies.WfClaim

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfClaimOptions = strategies.WfClaimOptions

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfFlowProblem = strategies.WfFlowProblem

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfGuarantees = strategies.WfGuarantees

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfPauseOptions = strategies.WfPauseOptions

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfPeek = strategies.WfPeek

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfRefusal = strategies.WfRefusal

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfRefusalReason = strategies.WfRefusalReason

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfSecret = strategies.WfSecret

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfStateOption<N extends string = string> = strategies.WfStateOption<N>

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfStrategyRegistry<N extends string = string> = strategies.WfStrategyRegistry<N>

/** @deprecated Import it from `@atscript/moost-wf/strategies`. */
export type WfTokenKey = strategies.WfTokenKey

// To @atscript/moost-wf/trigger

/** @deprecated Import it from `@atscript/moost-wf/trigger`. */
export type WfConfirmInfo = trigger.WfConfirmInfo

/** @deprecated Import it from `@atscript/moost-wf/trigger`. */
export type WfPageTheme = trigger.WfPageTheme

/** @deprecated Import it from `@atscript/moost-wf/trigger`. */
export type WfTokenCookieOptions = trigger.WfTokenCookieOptions

/** @deprecated Import it from `@atscript/moost-wf/trigger`. */
export type WfTokenSource = trigger.WfTokenSource
