import { getState, type MatcherState } from '@vitest/expect'
import {
  type File,
  type Suite,
  type Task,
  type Test,
  type VitestRunner,
  type VitestRunnerConfig,
} from '@vitest/runner'
import { getNames } from '@vitest/runner/utils'
import { expect } from './vitest'

/** What has become of one case. */
export interface CaseResult {
  /** The suites that it stands in, and its own title. */
  readonly path: readonly string[]
  readonly state: 'passed' | 'failed' | 'excused'
  /** Why it has failed. */
  readonly error?: string | undefined
}

const TIMEOUT_MS = 60_000

/** Vitest's runner, which imports files by what it is given. */
export class CaseRunner implements VitestRunner {
  readonly config = {
    root: '/',
    setupFiles: [],
    name: undefined,
    passWithNoTests: true,
    testNamePattern: undefined,
    allowOnly: false,
    sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
    chaiConfig: undefined,
    maxConcurrency: 1,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  } satisfies VitestRunnerConfig
  readonly #importFile: () => Promise<unknown>

  constructor(importFile: () => Promise<unknown>) {
    this.#importFile = importFile
  }

  readonly importFile = () => this.#importFile()

  onBeforeTryTask(): void {
    expect.setState({ assertionCalls: 0, expectedAssertionsNumber: null })
  }

  onAfterTryTask(): void {
    const { assertionCalls, expectedAssertionsNumber }: MatcherState = getState(expect)
    if (expectedAssertionsNumber === null || expectedAssertionsNumber === assertionCalls) return
    throw new Error(`expected ${expectedAssertionsNumber} assertions, but got ${assertionCalls}`)
  }
}

/** The cases of a file. What failed outside of them is a case as well: nothing is lost. */
export function resultsOf(file: File): CaseResult[] {
  return [...failureOutside(file), ...file.tasks.flatMap(resultsOfTask)]
}

function resultsOfTask(task: Task): CaseResult[] {
  if (task.type === 'suite') return [...failureOutside(task), ...task.tasks.flatMap(resultsOfTask)]
  const path = getNames(task).slice(1)
  switch (task.result?.state) {
    case 'pass':
      return [{ path, state: 'passed' }]
    case 'skip':
      return [{ path, state: 'excused' }]
    case undefined:
      if (task.mode === 'skip') return [{ path, state: 'excused' }]
      return [{ path, state: 'failed', error: 'It was not run.' }]
    default:
      return [{ path, state: 'failed', error: errorsOf(task) }]
  }
}

/** A hook that throws, and a file that cannot be imported. */
function failureOutside(suite: Suite): CaseResult[] {
  const hasOwn = suite.result?.errors?.length
  if (!hasOwn) return []
  const path = [...getNames(suite).slice(1), '(outside of its cases)']
  return [{ path, state: 'failed', error: errorsOf(suite) }]
}

function errorsOf({ result }: Suite | Test): string {
  const texts = result?.errors?.map(({ message, stack, cause }) =>
    [message, stack?.split('\n').slice(0, 6).join('\n'), cause && JSON.stringify(cause)]
      .filter(Boolean)
      .join('\n'),
  )
  return texts?.join('\n') ?? 'No reason was given.'
}
