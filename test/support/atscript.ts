import { AtscriptRepo, type TAtscriptPlugin } from '@atscript/core'
import type { WfForm } from '@atscript/moost-wf'
import typescript from '@atscript/typescript'
import * as utils from '@atscript/typescript/utils'
import { join } from 'node:path'
import { wfPlugin } from '@atscript/moost-wf/plugin'
import { root } from './project'

export interface Compilation {
  /** Other files beside the compiled one, by name. */
  readonly files?: Readonly<Record<string, string>>
  readonly plugins?: readonly TAtscriptPlugin[]
}

const uriOf = (name: string) => `file://${join(root, 'test/fixtures/schemas', name)}`

/** Compiles a text as if it were a file among the fixtures, and returns the messages of its errors. */
export async function errorsOf(
  text: string,
  { files = {}, plugins = [wfPlugin()] }: Compilation = {},
): Promise<string[]> {
  const repo = new AtscriptRepo(root, { rootDir: root, plugins: [typescript(), ...plugins] })
  for (const [name, source] of Object.entries(files)) await repo.openDocument(uriOf(name), source)
  const doc = await repo.openDocument(uriOf('compiled.as'), text)
  await repo.checkDoc(doc)
  return doc
    .getDiagMessages()
    .filter(({ severity }) => severity === 1)
    .map(({ message }) => message)
}

/** A row of workflow states with these fields besides its id. */
export function rowWith(fields: string): string {
  return `
import { AsWfStateRecord } from '@atscript/moost-wf/store.as'

@db.table 'wf_states'
export interface Row extends AsWfStateRecord {
    @meta.id
    id: string

    ${fields}
}
`
}

/** Compiles a text as if it were a file among the fixtures, and runs it: its types by their names. */
export async function typesOf(text: string): Promise<Readonly<Record<string, WfForm>>> {
  const repo = new AtscriptRepo(root, { rootDir: root, plugins: [typescript(), wfPlugin()] })
  const doc = await repo.openDocument(uriOf('compiled.as'), text)
  await repo.checkDoc(doc)
  const errors = doc.getDiagMessages().filter(({ severity }) => severity === 1)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const content = (await doc.render('js'))?.[0]?.content ?? ''
  const names = [...content.matchAll(/^export class (\w+)/gmu)].map(([, name]) => name)
  const script = content
    .replace(/^import \{(.*)\} from .*$/mu, (_, list: string) => {
      return `const {${list.replaceAll(' as ', ': ')}} = utils`
    })
    .replaceAll(/^export class/gmu, 'class')
  // oxlint-disable-next-line no-new-func, no-implied-eval -- what the compiler wrote
  return new Function('utils', `${script}\nreturn { ${names.join()} }`)(utils)
}
