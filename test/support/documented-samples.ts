import { blocksOf, blockWith } from './example'
import { readFile, readFiles } from './project'
import type { TempProject } from './temp-project'

export interface DocumentedSample {
  /** Such as `docs/store_2.ts`. */
  readonly name: string
  readonly code: string
}

/** What the samples import of the application that they are part of, as the docs show it. */
const APPLICATION = {
  'schemas/WfStateRow.as': blockWith('docs/schemas.md', 'WfStateRow', 'atscript'),
  'schemas/WfLedgerRow.as': blockWith('docs/schemas.md', 'WfLedgerRow', 'atscript'),
  'schemas/WfRunRows.as': blockWith('docs/durable.md', 'WfRunRow', 'atscript'),
  'schemas/OrderRows.as': blockWith('docs/database.md', 'OrderRow', 'atscript'),
  'schemas/LoginForm.as': blockWith('docs/forms.md', 'LoginForm', 'atscript'),
  'schemas/DecisionForm.as': blockWith('docs/links.md', 'DecisionForm', 'atscript'),
  'schemas/CodeForm.as': blockWith('docs/forms.md', 'CodeForm', 'atscript'),
  'schemas/InvitationForms.as': blockWith('docs/outlets.md', 'InviteForm', 'atscript'),
  'stores/wf-store.ts': blockWith('docs/store.md', 'export const wfStore'),
  'map-store.ts': blockWith('docs/store.md', 'class MapStore'),
  'map-strategy.ts': blockWith('docs/state.md', 'class MapStrategy'),
  'cloudflare.d.ts': `declare module 'cloudflare:workers' { export const env: unknown }\n`,
  'mail.ts': 'export const sendMail = async (...texts: string[]) => console.log(texts.length)\n',
}

const ATSCRIPT_CONFIG = `
import { defineConfig } from '@atscript/core'
import typescript from '@atscript/typescript'
import wf from '@atscript/moost-wf/plugin'

export default defineConfig({ rootDir: 'docs', plugins: [typescript(), wf()] })
`

/** Writes the samples of all pages, each as a file of its own, and what they import. */
export function writeSamples(project: TempProject): DocumentedSample[] {
  // docs/set-up.md is a project of its own.
  const pages = readFiles('docs', '.md').filter(({ path }) => path !== 'docs/set-up.md')
  const samples = [readFile('README.md'), ...pages].flatMap(({ path }) =>
    blocksOf(path, 'ts').map((block, index) => ({
      name: `docs/${path.replace(/^docs\//u, '').replaceAll(/[/.]/gu, '_')}_${index + 1}.ts`,
      // What it imports lies beside it, also for the one that lies in a folder.
      code: `${block.replaceAll(`'../schemas/`, `'./schemas/`)}\nexport {}\n`,
    })),
  )
  project.write({ 'atscript.config.js': ATSCRIPT_CONFIG })
  for (const { name, code } of samples) project.write({ [name]: code })
  for (const [name, text] of Object.entries(APPLICATION)) project.write({ [`docs/${name}`]: text })
  return samples
}
