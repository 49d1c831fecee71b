import type { ProvidedContext } from 'vitest'
import type { CaseResult } from './case-runner'
import type { Gifts } from './gifts'

/** What a runtime is to do. */
export interface Job {
  readonly suites: readonly string[]
  /** The runtimes that it leaves something for. */
  readonly gifts?: readonly string[] | undefined
  readonly provided: ProvidedContext
}

/** What it says, one after the other. */
export type Report =
  | { readonly version: string }
  /** What cannot be tested here, and why. */
  | { readonly lacks: Readonly<Record<string, string>> }
  | { readonly gifts: Gifts }
  | { readonly suite: string; readonly cases: readonly CaseResult[] }
