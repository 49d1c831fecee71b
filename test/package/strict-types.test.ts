import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSamples } from '../support/documented-samples'
import { readFile, readFiles, root } from '../support/project'
import { unpackTarball } from '../support/tarball'
import { TempProject } from '../support/temp-project'

const STRICTEST = {
  target: 'ES2022',
  lib: ['ES2023'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
  noEmit: true,
}

/** What we hand to code of yours, and what `undefined` would be refused in. */
const WITHOUT_UNDEFINED = new Set([
  'DbComparison',
  'DbFilter',
  // A filter that is there and undefined is a mistake, and refused.
  'DbQuery',
  'DbCountQuery',
  'WfCountOptions',
  'WfColumnFilter',
  'WfComparison',
  'WfLedgerFilter',
  'WfTriggerRunOptions',
  'WfFetch',
])

const config = (compilerOptions: object, include: string[]) =>
  JSON.stringify({ compilerOptions: { ...STRICTEST, ...compilerOptions }, include })

describe('a project with the strictest settings of TypeScript', () => {
  const project = new TempProject()

  beforeAll(() => unpackTarball(project), 60_000)
  afterAll(() => project.remove())

  it('uses every subpath, hands in undefined and implements our interfaces', () => {
    for (const { path, text } of readFiles('test/fixtures/strict-user', '.ts')) {
      project.write({ [path.replace('test/fixtures/strict-user', 'src')]: text })
    }
    project.write({
      // As asc writes it: the types of atscript itself refer to these.
      'src/atscript.d.ts': `export {}
        declare global {
          interface AtscriptMetadata { 'meta.label': string }
          type AtscriptPrimitiveTags = string
        }`,
      'tsconfig.json': config({ module: 'nodenext', skipLibCheck: false }, ['src']),
    })
    expect(project.bin('tsc')).toEqual({ code: 0, output: '' })
  })

  it('compiles every sample of the docs', () => {
    writeSamples(project)
    // What atscript writes beside an .as file does not pass the check of libraries.
    const options = { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }
    project.write({ 'tsconfig.json': config(options, ['docs']) })
    expect(project.bin('asc', '-f', 'dts')).toMatchObject({ code: 0 })
    expect(project.bin('tsc')).toEqual({ code: 0, output: '' })
  })
})

it('every optional property of what is published takes undefined, or is known not to', () => {
  const declarations = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.d.mts'))
    .map(name => readFile(`dist/${name}`))
  expect(declarations.length).toBeGreaterThan(10)
  const refusing = declarations.flatMap(({ path, text }) =>
    refusesUndefined(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)),
  )
  expect(refusing.filter(name => !WITHOUT_UNDEFINED.has(name.split('.')[0] ?? ''))).toEqual([])
})

/** The optional properties, as `Owner.property`, whose type does not end in `| undefined`. */
function refusesUndefined(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, owner: string): void => {
    const declaration = node as ts.Node & { name?: ts.Identifier }
    const isOwner =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassLike(node)
    const within = isOwner ? (declaration.name?.text ?? owner) : owner
    const isProperty = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)
    if (isProperty && node.questionToken && !takesUndefined(node.type)) {
      found.push(`${within}.${node.name.getText()}`)
    }
    ts.forEachChild(node, child => visit(child, within))
  }
  visit(file, file.fileName)
  return found
}

function takesUndefined(type: ts.TypeNode | undefined): boolean {
  const parts = type && ts.isUnionTypeNode(type) ? type.types : [type]
  return parts.some(part => ['undefined', 'unknown', 'any'].includes(part?.getText() ?? 'any'))
}
