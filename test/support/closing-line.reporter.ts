import type { Reporter, TestModule } from 'vitest/node'

/** Ends the output with one plain line that people and machines can read. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const count = (state: string) => tests.filter(test => test.result().state === state).length
    // A file that could not be loaded has no tests, and has failed all the same.
    const broken = modules.filter(module => module.errors().length > 0).length
    const line = `${count('passed')} passed, ${count('failed') + broken} failed`
    const skipped = count('skipped')
    setImmediate(() => console.log(skipped > 0 ? `${line}, ${skipped} skipped` : line))
  }
}
