import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { blockWith } from '../support/example'
import { readFile, readFiles, root, type SourceFile } from '../support/project'

/** The `ts` blocks of a Markdown text, or of the JSDoc in a source file. */
function examplesOf({ path, text }: SourceFile): SourceFile[] {
  const blocks = text.matchAll(/```ts\n([\s\S]*?)```/gu)
  return [...blocks].map(([, block = ''], index) => ({
    path: `${path}#${index + 1}`,
    text: `${block.replace(/^\s*\* ?/gmu, '').replaceAll(`'../schemas/`, `'./schemas/`)}\nexport {}\n`,
  }))
}

// The application of docs/set-up.md is compiled as a whole, in test/package.
const pages = readFiles('docs', '.md').filter(({ path }) => path !== 'docs/set-up.md')
const documents = [readFile('README.md'), ...pages]
const examples = [...documents, ...readFiles('src', '.ts')].flatMap(examplesOf)

/** What the examples import of the application that they are part of. */
const importedByExamples: readonly SourceFile[] = [
  {
    path: 'schemas/WfStateRow.as.d.ts',
    text: `export { WfStateRow } from '../../fixtures/schemas/wf-state-row.as'`,
  },
  {
    path: 'schemas/WfLedgerRow.as.d.ts',
    text: `export { WfLedgerRow } from '../../fixtures/schemas/wf-ledger-row.as'`,
  },
  {
    path: 'schemas/WfRunRows.as.d.ts',
    text: `export { WfEventRow, WfLinkRow, WfRunRow } from '../../fixtures/schemas/wf-run-rows.as'`,
  },
  {
    path: 'schemas/OrderRows.as.d.ts',
    text: `export { OrderEventRow, OrderRow } from '../../fixtures/schemas/order-rows.as'`,
  },
  {
    path: 'schemas/LoginForm.as.d.ts',
    text: `export { LoginForm } from '../../fixtures/schemas/login-form.as'`,
  },
  {
    path: 'schemas/DecisionForm.as.d.ts',
    text: `export { DecisionForm } from '../../fixtures/schemas/decision-form.as'`,
  },
  {
    path: 'schemas/CodeForm.as.d.ts',
    text: `export { CodeForm } from '../../fixtures/schemas/code-form.as'`,
  },
  {
    path: 'schemas/InvitationForms.as.d.ts',
    text: `export { AcceptForm, InviteForm } from '../../fixtures/schemas/invitation-forms.as'`,
  },
  {
    path: 'cloudflare.d.ts',
    text: `declare module 'cloudflare:workers' { export const env: unknown }`,
  },
  {
    path: 'mail.ts',
    text: `export async function sendMail(to: string, subject: string, text: string) {
      console.log(to, subject, text)
    }`,
  },
  {
    path: 'stores/wf-store.ts',
    text: `export { wfStore } from '../../fixtures/specification/stores/wf-store'`,
  },
  { path: 'map-store.ts', text: blockWith('docs/store.md', 'class MapStore') },
  { path: 'map-strategy.ts', text: blockWith('docs/state.md', 'class MapStrategy') },
]

describe('every example in the docs and in the JSDoc', () => {
  it('compiles', () => {
    const files = new Map(
      examples.map(example => {
        const name = `${example.path.replaceAll(/[/#.]/gu, '_')}.ts`
        return [join(root, 'test/docs', name), example]
      }),
    )
    for (const file of importedByExamples) files.set(join(root, 'test/docs', file.path), file)
    expect(problemsOf(files)).toEqual([])
  }, 240_000)
})

function problemsOf(files: ReadonlyMap<string, SourceFile>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const readText = host.readFile.bind(host)
  const exists = host.fileExists.bind(host)
  host.readFile = path => files.get(path)?.text ?? readText(path)
  host.fileExists = path => files.has(path) || exists(path)
  host.directoryExists = undefined
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (path, languageVersion) => {
    const text = files.get(path)?.text
    return text === undefined
      ? getSourceFile(path, languageVersion)
      : ts.createSourceFile(path, text, languageVersion)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const where = file && files.get(file.fileName)
    const line = file && start ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${where?.path ?? file?.fileName} line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
