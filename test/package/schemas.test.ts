import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFile } from '../support/project'
import { installTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'

const { devDependencies: versions } = JSON.parse(readFile('package.json').text) as {
  devDependencies: Record<string, string>
}
const installed = ['@atscript/core', '@atscript/typescript', 'typescript'].map(
  name => `${name}@${versions[name]}`,
)

/** The row of the specification, which imports the record in one of two ways. */
const row = (specifier: string) => `
import { AsWfStateRecord } from '${specifier}'

@db.table 'wf_states'
export interface WfStateRow extends AsWfStateRecord {
    @meta.id
    @ui.table.hidden
    @db.default.uuid
    id: string

    @meta.label 'Invite Email'
    @wf.store.fromContext 'email'
    @db.index.plain 'email_idx'
    @ui.form.grid.colSpan 'half'
    inviteEmail?: string
}
`

const ledgerRow = (specifier: string) => `
import { AsWfLedgerRecord } from '${specifier}'

@db.table 'wf_ledger'
export interface WfLedgerRow extends AsWfLedgerRecord {}
`

const runRows = (specifier: string) => `
import { AsWfEventRecord, AsWfLinkRecord, AsWfOutboxRecord, AsWfRunRecord } from '${specifier}'

@db.table 'wf_runs'
export interface WfRunRow extends AsWfRunRecord {}

@db.table 'wf_run_events'
export interface WfEventRow extends AsWfEventRecord {}

@db.table 'wf_run_links'
export interface WfLinkRow extends AsWfLinkRecord {}

@db.table 'wf_run_outbox'
export interface WfOutboxRow extends AsWfOutboxRecord {}
`

const FILES = {
  'atscript.config.js': `
import { defineConfig } from '@atscript/core'
import typescript from '@atscript/typescript'
import wf from '@atscript/moost-wf/plugin'

export default defineConfig({ rootDir: 'src', plugins: [typescript(), wf()] })
`,
  'src/documented/row.as': row('@atscript/moost-wf/store.as'),
  'src/short/row.as': row('@atscript/moost-wf/store'),
  'src/documented/run-rows.as': runRows('@atscript/moost-wf/runs.as'),
  'src/short/run-rows.as': runRows('@atscript/moost-wf/runs'),
  'src/documented/ledger-row.as': ledgerRow('@atscript/moost-wf/ledger.as'),
  'src/short/ledger-row.as': ledgerRow('@atscript/moost-wf/ledger'),
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler",
    "strict": true, "noEmit": true, "skipLibCheck": true, "types": []
  },
  "include": ["src"]
}`,
  'src/main.ts': `
import { AsWfStateRecord } from '@atscript/moost-wf/store.as'
import { WfStateRow } from './documented/row.as'
import { WfStateRow as ShortRow } from './short/row.as'
import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'
import { WfLedgerRow } from './documented/ledger-row.as'
import { WfLedgerRow as ShortLedgerRow } from './short/ledger-row.as'
import { AsWfRunRecord } from '@atscript/moost-wf/runs.as'
import { WfRunRow } from './documented/run-rows.as'
import { WfEventRow } from './short/run-rows.as'

export function emailOf(row: WfStateRow): string | undefined {
  const { email } = row.state.context as { email?: unknown }
  return typeof email === 'string' ? email : row.inviteEmail
}
export const expiry = (row: ShortRow): number => row.expiresAt ?? row.updatedAt
export const base: AsWfStateRecord = new WfStateRow()
export const table: string | undefined = WfStateRow.metadata.get('db.table')
export const entry: AsWfLedgerRecord = new WfLedgerRow()
export const end = (row: ShortLedgerRow): number => row.expiresAt ?? row.count
export const run: AsWfRunRecord = new WfRunRow()
export const seqOf = (event: WfEventRow): number => event.seq
// @ts-expect-error a handle is a string
export const handle: number = base.handle
// @ts-expect-error there is no such column
export const missing = base.inviteEmail
`,
}

describe('the published schemas, in a project of their own', () => {
  const project = new TempProject()
  const node = (script: string) => project.run('node', '--input-type=module', '-e', script)

  beforeAll(() => {
    installTarball(project, ...installed)
    project.write(FILES)
  }, 180_000)

  afterAll(() => project.remove())

  it.each([
    ['plugin', 'default,wfPlugin'],
    ['store.as', 'AsWfStateRecord'],
    ['store.as.as', 'AsWfStateRecord'],
    ['runs.as', 'AsWfEventRecord,AsWfLinkRecord,AsWfOutboxRecord,AsWfRunRecord,AsWfSignalRecord'],
    [
      'runs.as.as',
      'AsWfEventRecord,AsWfLinkRecord,AsWfOutboxRecord,AsWfRunRecord,AsWfSignalRecord',
    ],
    ['ledger.as', 'AsWfLedgerRecord'],
    ['ledger.as.as', 'AsWfLedgerRecord'],
  ])('load from %s in plain Node', (subpath, names) => {
    const script = `console.log(Object.keys(await import('@atscript/moost-wf/${subpath}')).join())`
    expect(node(script)).toEqual({ code: 0, output: `${names}\n` })
  })

  it.each([
    ['documented', '@atscript/moost-wf/store.as'],
    ['short', '@atscript/moost-wf/store'],
  ])('are extended in the %s form, from %s', folder => {
    expect(project.bin('asc', '--noEmit')).toMatchObject({ code: 0 })
    expect(project.bin('asc', '-f', 'js')).toMatchObject({ code: 0 })
    const script = `
      const { WfStateRow } = await import('./src/${folder}/row.as.js')
      const { handle, inviteEmail } = Object.fromEntries(WfStateRow.type.props)
      console.log(handle.metadata.get('db.index.unique')[0].name)
      console.log(inviteEmail.metadata.get('wf.store.fromContext'))
      const { WfLedgerRow } = await import('./src/${folder}/ledger-row.as.js')
      const { WfRunRow } = await import('./src/${folder}/run-rows.as.js')
      console.log(WfRunRow.metadata.get('db.table'))
      console.log(WfLedgerRow.metadata.get('db.table'), [...WfLedgerRow.type.props.keys()].join())
    `
    const ledger = 'wf_ledger key,kind,count,data,expiresAt'
    expect(node(script)).toEqual({ code: 0, output: `handle_idx\nemail\nwf_runs\n${ledger}\n` })
  })

  it('are typed', () => {
    expect(project.bin('asc', '-f', 'dts')).toMatchObject({ code: 0 })
    expect(project.bin('tsc')).toEqual({ code: 0, output: '' })
  })

  it('are loaded by plain Node under .as.js only; .as itself takes a bundler', () => {
    expect(project.bin('asc', '-f', 'js')).toMatchObject({ code: 0 })
    const { code, output } = node(`await import('./src/short/row.as')`)
    expect(output).toContain('ERR_UNKNOWN_FILE_EXTENSION')
    expect(code).toBe(1)
  })
})
