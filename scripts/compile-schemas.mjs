// Compiles schemas/*.as to what is published beside them: .as.js and .as.d.ts.
// `asc` writes its files in spite of errors; here nothing is written unless all schemas are right.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from '@atscript/core'
import typescript from '@atscript/typescript'
import { wfPlugin } from '../dist/plugin/index.mjs'

const rootDir = fileURLToPath(new URL('../schemas', import.meta.url))
const project = await build({ rootDir, plugins: [typescript(), wfPlugin()] })

const problems = [...(await project.diagnostics())].flatMap(([id, messages]) =>
  messages.map(message => project.getDoc(id)?.renderDiagMessage(message, true)),
)
if (problems.length > 0) throw new Error(problems.join('\n'))

for (const format of ['js', 'dts']) {
  for (const { fileName, target, content } of await project.generate({ format })) {
    // The global types of annotations are the using project's own.
    if (fileName !== 'atscript.d.ts') writeFileSync(target, content)
  }
}
