// The runtimes that the suites are run on, by the names that the command line takes.
import { join } from 'node:path'
import { fetchNode, fetchPackage } from './fetch-package.mjs'
import { ProcessRuntime } from './process-runtime.mjs'
import { WorkerRuntime } from './worker-runtime.mjs'

const binary = (name, version) => join(fetchPackage(name, version), '.bin', name)

const withDecorators = options => ({ ...options, runsDecorators: true })

export const RUNTIMES = [
  ...['20', '22', '24', '26'].map(version => ({
    name: `node-${version}`,
    title: `Node ${version}`,
    open: options => new ProcessRuntime([fetchNode(version)], options),
  })),
  {
    name: 'bun',
    title: 'Bun',
    open: options => new ProcessRuntime([binary('bun', '1')], withDecorators(options)),
  },
  {
    name: 'deno',
    title: 'Deno',
    open: options =>
      new ProcessRuntime([binary('deno', '2'), 'run', '-A'], withDecorators(options)),
  },
  { name: 'workerd', title: 'workerd', open: options => new WorkerRuntime('worker', options) },
  {
    name: 'workerd-bare',
    title: 'workerd without `nodejs_compat`',
    only: ['tokens'],
    open: options => new WorkerRuntime('bare', options),
  },
]
