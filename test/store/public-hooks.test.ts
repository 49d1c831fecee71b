import type { WfState } from '@atscript/moost-wf'
import { AsWfStore, type ShadowField, type WfTable } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'

/** As a subclass of the public store has it. */
type Payload = Record<string, unknown>

const WAYS: [string, (table: WfTable) => WfTable][] = [
  ['a table of ours', table => table],
  ['a public table', publicTable],
]

// Each subclass is written to the signatures of the public store.
describe.each(WAYS)('a hook of the public store, on %s', (_way, wrap) => {
  async function open<Store extends AsWfStore>(
    Subclass: new (...options: ConstructorParameters<typeof AsWfStore>) => Store,
  ) {
    const { table, clock, rowOf, warnings } = await openExpenses()
    const warn = (text: string) => warnings.push(text)
    return { store: new Subclass({ table: wrap(table), clock, warn }), table, rowOf, warnings }
  }

  it('applyShadows fills the payload, in a write and in a heal', async () => {
    const seen: Payload[] = []
    class Summing extends AsWfStore {
      protected override applyShadows(payload: Payload, state: WfState): void {
        seen.push({ ...payload })
        super.applyShadows(payload, state)
        payload.tenantId = `${String(payload.applicant)} in ${String(payload.schemaId)}`
        delete payload.stage
      }
    }
    const { store, table, rowOf } = await open(Summing)
    const state = expense({ applicant: 'ada', expense: { amount: 3 }, stage: 'open' })
    await store.set('h', state)
    const written = { applicant: 'ada', amount: 3, tenantId: 'ada in approvals/expense' }
    expect(await rowOf('h')).toMatchObject({ ...written, stage: 'new' })
    expect(seen[0]).toMatchObject({ handle: 'h', schemaId: 'approvals/expense', version: 1 })

    await table.updateMany({}, { tenantId: null, amount: 9 })
    expect(await store.drift()).toBe(1)
    expect(await store.heal()).toBe(1)
    expect(await rowOf('h')).toMatchObject({ ...written, stage: 'new', version: 1 })
    expect(await store.drift()).toBe(0)
  })

  it('applyShadows does not make a heal a write of the flow', async () => {
    class Stamping extends AsWfStore {
      protected override applyShadows(payload: Payload, state: WfState): void {
        super.applyShadows(payload, state)
        Object.assign(payload, { version: 7, updatedAt: 5, lastUpdatedBy: 'hook' })
      }
    }
    const { store, table, rowOf } = await open(Stamping)
    await store.set('h', expense({ applicant: 'ada' }))
    const stamps = { version: 1, updatedAt: 1, lastUpdatedBy: 'ada' }
    await table.updateMany({}, { ...stamps, applicant: null })
    expect(await store.heal()).toBe(1)
    expect(await rowOf('h')).toMatchObject({ ...stamps, applicant: 'ada' })
    expect(await store.drift()).toBe(0)
  })

  it('scanShadowFields gives the same specs each time, and takes more', async () => {
    const scans: ShadowField[][] = []
    class Adding extends AsWfStore {
      protected override scanShadowFields(): ShadowField[] {
        scans.push(super.scanShadowFields(), super.scanShadowFields())
        const path = ['tenant', 'id']
        const own = { field: 'tenantId', path, expectedType: 'string' as const, optional: true }
        return [...super.scanShadowFields(), own]
      }
    }
    const { store, rowOf } = await open(Adding)
    for (const n of [1, 2]) await store.set(`h${n}`, expense({ tenant: { id: `t${n}` } }))
    await store.heal()
    expect(scans[1]).toBe(scans[0])
    expect(scans).toHaveLength(2)
    const { field, path, expectedType, optional } = scans[0]![0]!
    expect([field, path, expectedType, optional]).toEqual([
      'amount',
      ['expense', 'amount'],
      'number',
      true,
    ])
    expect(scans[0]!.at(-1)).toMatchObject({ field: 'stage', optional: false })
    expect((await rowOf('h2')).tenantId).toBe('t2')
    await store.set('h2', expense({}))
    expect((await rowOf('h2')).tenantId).toBeNull()
  })

  it('a spec that is not optional keeps what the column had', async () => {
    class Required extends AsWfStore {
      protected override scanShadowFields(): ShadowField[] {
        return [{ field: 'stage', path: ['at'], expectedType: 'string', optional: false }]
      }
    }
    const { store, rowOf } = await open(Required)
    await store.set('h', expense({}))
    expect((await rowOf('h')).stage).toBe('new')
    await store.set('h', expense({ at: 'open' }))
    await store.set('h', expense({ at: null }))
    expect((await rowOf('h')).stage).toBe('open')
  })

  it('resolvePath finds the value, by the keys of the path', async () => {
    class Lists extends AsWfStore {
      protected override resolvePath(obj: unknown, path: string[]): unknown {
        const found = super.resolvePath(obj, path)
        return Array.isArray(found) ? found[0] : found
      }
    }
    const { store, rowOf } = await open(Lists)
    await store.set('h', expense({ applicant: ['ada', 'bob'], expense: { amount: [7] } }))
    expect(await rowOf('h')).toMatchObject({ applicant: 'ada', amount: 7 })
  })

  it('coerceShadowValue gets what was found first, or that there was nothing', async () => {
    class Coercing extends AsWfStore {
      protected override coerceShadowValue(raw: unknown, spec: ShadowField): unknown {
        if (spec.field === 'applicant') return raw === undefined ? 'nobody' : String(raw)
        if (spec.field === 'stage') return null
        return super.coerceShadowValue(raw, spec)
      }
    }
    const { store, rowOf, warnings } = await open(Coercing)
    await store.set('h', expense({ applicant: 42, stage: 'open' }))
    expect(await rowOf('h')).toMatchObject({ applicant: '42', stage: 'new' })
    await store.set('h', expense({}))
    expect((await rowOf('h')).applicant).toBe('nobody')
    expect(warnings).toEqual([])
  })

  it('onShadowTypeMismatch is told the column and the names of both types, never the value', async () => {
    const mismatches: string[][] = []
    class Telling extends AsWfStore {
      protected override onShadowTypeMismatch(field: string, expected: string, actual: string) {
        mismatches.push([field, expected, actual])
      }
    }
    const { store, warnings } = await open(Telling)
    await store.set('h', expense({ applicant: 42, expense: { amount: 'secret' } }))
    await store.set('h', expense({ applicant: 'x'.repeat(256), expense: { amount: [] } }))
    expect(mismatches).toEqual([
      ['amount', 'number', 'string'],
      ['applicant', 'string', 'number'],
      ['amount', 'number', 'object'],
      ['applicant', 'string', 'string'],
    ])
    expect(warnings).toEqual([])
  })

  it('resolveFieldPrimitive says what a column expects', async () => {
    const expected: string[] = []
    class Texts extends AsWfStore {
      protected override resolveFieldPrimitive(fieldType: { type: { designType?: string } }) {
        return fieldType.type.designType === 'number' ? 'string' : ('boolean' as const)
      }

      protected override coerceShadowValue(_raw: unknown, spec: ShadowField): unknown {
        expected.push(spec.expectedType)
        return undefined
      }
    }
    const { store } = await open(Texts)
    await store.set('h', expense({}))
    expect(expected).toEqual(['string', 'boolean', 'boolean', 'boolean'])
  })
})
