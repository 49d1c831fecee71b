import { describe, expect, it } from 'vitest'
import { csvLine } from '../../src/admin/runs/to-csv'
import { openRuns } from './runs-app'

const linesOf = (text: string) => text.split('\r\n').filter(Boolean)

/** The answer as it comes, with its headers. */
async function download(app: Awaited<ReturnType<typeof openRuns>>, query = '') {
  const headers = { authorization: 'Bearer admin' }
  const answer = await fetch(`${app.url}/api/admin/run-export${query}`, { headers })
  // `text()` would take the mark of UTF-8 off.
  return { answer, text: Buffer.from(await answer.arrayBuffer()).toString('utf8') }
}

describe('a line of CSV', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['  =1', `"'  =1"`],
    ['\u{A0}=1', `"'\u{A0}=1"`],
    ['＝1', `"'＝1"`],
    ['a=1', '"a=1"'],
    ['a,"b"\r\n=c', '"a,""b""\r\n=c"'],
    ['', '""'],
    [-5, '-5'],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [{ a: '=1' }, '"{""a"":""=1""}"'],
  ])('has for %j the cell %j', (value, cell) => {
    expect(csvLine([value])).toBe(`${cell}\r\n`)
  })
})

describe('an export', () => {
  it('is what is listed, as CSV that no spreadsheet runs', async () => {
    const app = await openRuns()
    const flowId = await app.paused({ email: '=HYPERLINK("http://evil.example","ada")' })
    await app.paused({ email: 'grace@example.com' })
    const { answer, text } = await download(app, '?search=HYPERLINK')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="runs.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(text.charCodeAt(0)).toBe(0xfe_ff)
    const [head, row, ...rest] = linesOf(text.slice(1))
    expect(rest).toEqual([])
    expect(head).toBe(
      '"flowId","schemaId","state","status","stepId","attempts","startedAt","startedBy",' +
        '"updatedAt","completedAt","expiresAt","correlationId","inviteEmail"',
    )
    expect(row).toContain(`"${flowId}","orders/ship","live","paused","orders/sign",0,`)
    expect(row).toContain(`"'=HYPERLINK(""http://evil.example"",""ada"")"`)
  })

  it('is JSON of the same rows, and an empty list of none', async () => {
    const app = await openRuns()
    expect(JSON.parse((await download(app, '?format=json')).text)).toEqual([])
    expect(linesOf((await download(app)).text)).toHaveLength(1)
    const ids = [await app.paused({ email: 'ada@example.com' }), await app.paused()]
    const { answer, text } = await download(app, '?format=json&columns=inviteEmail&state=live')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const rows = JSON.parse(text)
    expect(rows.map((row: { flowId: string }) => row.flowId).toSorted()).toEqual(ids.toSorted())
    expect(rows.find((row: { flowId: string }) => row.flowId === ids[0])).toMatchObject({
      state: 'live',
      inviteEmail: 'ada@example.com',
      completedAt: null,
    })
  })

  it('comes in parts, however many runs there are', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    const row = (await app.rows.findOne({ filter: { flowId } }))!
    await app.rows.insertMany(
      Array.from({ length: 450 }, (_, at) => ({ ...row, flowId: `copy-${at}`, runKey: null })),
    )
    expect(linesOf((await download(app)).text)).toHaveLength(452)
    expect(JSON.parse((await download(app, '?format=json')).text)).toHaveLength(451)
  })

  it('is the same where nothing listens, as on a Worker', async () => {
    const app = await openRuns()
    const flowId = await app.paused()
    const row = (await app.rows.findOne({ filter: { flowId } }))!
    await app.rows.insertMany(
      Array.from({ length: 450 }, (_, at) => ({ ...row, flowId: `copy-${at}`, runKey: null })),
    )
    const headers = { authorization: 'Bearer admin' }
    const path = 'http://localhost/api/admin/run-export?format=json'
    const answer = await app.http.fetch(new Request(path, { headers }))
    expect(answer?.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer?.json()).toHaveLength(451)
  })

  it('tells no secret, and no live link that stands in a column', async () => {
    const app = await openRuns()
    await app.paused()
    const token = app.tokens[0]!
    await app.paused({ email: token })
    for (const format of ['csv', 'json']) {
      const { text } = await download(app, `?format=${format}`)
      expect(text).toContain('•••')
      for (const secret of ['hunter2', token, token.split('.')[1]!]) {
        expect(text).not.toContain(secret)
      }
    }
    // The handle of a paused flow looks like nothing in particular.
    const handle = 'seven-green-bottles'
    await app.states.insertOne({
      handle,
      schemaId: 'orders/ship',
      state: { context: {}, indexes: [0] },
    })
    await app.paused({ email: `see ${handle}` })
    expect((await download(app)).text).not.toContain(handle)
    const secret = await openRuns({ isSecret: key => key === 'inviteEmail' })
    await secret.paused({ email: 'ada@example.com' })
    expect((await download(secret)).text).not.toContain('ada@example.com')
    expect((await download(secret, '?columns=inviteEmail')).answer.status).toBe(400)
  })

  it.each([
    '?format=xlsx',
    '?format=',
    '?format=csv&format=json',
    '?columns=state',
    '?columns=flowId',
    '?columns=inviteEmail,answer',
    '?columns=__proto__',
    '?filter={"state":1}',
    '?size=9',
    '?inside=context',
  ])('is refused for %s', async query => {
    const app = await openRuns()
    expect((await download(app, query)).answer.status).toBe(query === '?format=' ? 200 : 400)
  })

  it('is for those whom the guard lets in', async () => {
    const app = await openRuns()
    expect((await app.ask('GET', 'run-export', {}, 'Bearer eve')).status).toBe(403)
  })
})
