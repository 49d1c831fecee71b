import { type D1Binding, type D1Statement, openD1 } from '@atscript/moost-wf/db/d1'
import type { Clock } from '@atscript/moost-wf/store'
import { Miniflare } from 'miniflare'

/** A Worker that runs what it is sent: each list of statements as one batch, as any Worker would. */
const WORKER = `export default {
  async fetch(request, { DB }) {
    const statements = (await request.json()).map(({ sql, values }) => DB.prepare(sql).bind(...values))
    try {
      return Response.json(await DB.batch(statements))
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  }
}`

interface Sent extends D1Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/**
 * D1 in workerd, and its binding as a Worker has it. That of `getD1Database` does the same, and takes ten
 * milliseconds for each statement, because it stops this process until `prepare` has answered.
 */
export async function d1Database() {
  const miniflare = new Miniflare({
    modules: true,
    script: WORKER,
    d1Databases: { DB: 'test' },
    compatibilityDate: '2026-04-01',
  })
  const batch = async (statements: readonly Sent[]) => {
    const body = JSON.stringify(statements.map(({ sql, values }) => ({ sql, values })))
    const answer = await miniflare.dispatchFetch('http://d1.test', { method: 'POST', body })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Awaited<ReturnType<D1Binding['batch']>>
  }
  const statement = (sql: string, values: readonly unknown[]): Sent => ({
    sql,
    values,
    bind: (...bound) => statement(sql, bound),
    async all() {
      const [answer] = await batch([this])
      return answer!
    },
  })
  const binding: D1Binding = { prepare: sql => statement(sql, []), batch }
  return {
    miniflare,
    binding,
    url: '',
    open: (options: { clock?: Clock } = {}) => openD1(binding, options),
    drop: () => miniflare.dispose(),
  }
}
