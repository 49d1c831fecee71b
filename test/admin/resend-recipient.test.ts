import { describe, expect, it } from 'vitest'
import { type Keeping, openTurns } from '../support/turns-app'

const ANN = {
  outlet: 'email',
  target: 'ann@example.com',
  template: 'sign',
  context: { greeting: 'Dear first' },
}
const BOB = { ...ANN, target: 'bob@example.com', context: { greeting: 'Dear second' } }

describe.each<Keeping>(['handle', 'stable', 'hashed'])('resend of a %s', keeping => {
  it('reaches whoever has the link, before and after they have opened it', async () => {
    const app = await openTurns({ keeping })
    const link = await app.begin()
    expect((await app.resend()).status).toBe(200)
    expect(app.resent[0]).toMatchObject({ outlet: 'email', recipient: ANN })
    expect((await app.send({ wfs: link })).status).toBe(410)
    const { body } = await app.send({ wfs: app.resent[0]!.token })
    expect(body.inputRequired.payload).toEqual({ ask: 'first' })
    expect((await app.resend()).status).toBe(200)
    expect(app.resent[1]).toMatchObject({ outlet: 'http', recipient: ANN })
    const lost = await app.send({ wfs: body.wfs, input: { name: 'Mallory' } })
    expect(lost.status).toBe(410)
    const opened = await app.send({ wfs: app.resent[1]!.token })
    expect(opened.body.inputRequired.payload).toEqual({ ask: 'first' })
    const signed = await app.send({ wfs: opened.body.wfs, input: { name: 'Ann' } })
    expect(signed.body).toMatchObject({ sent: true, outlet: 'email' })
  })

  it('goes to the next person once it is their turn, and never back', async () => {
    const app = await openTurns({ keeping })
    const opened = await app.send({ wfs: await app.begin() })
    await app.send({ wfs: opened.body.wfs, input: { name: 'Ann' } })
    expect((await app.resend()).status).toBe(200)
    expect(app.resent.at(-1)!.recipient).toEqual(BOB)
    const second = await app.send({ wfs: app.resent.at(-1)!.token })
    await app.resend()
    expect(app.resent.at(-1)!.recipient).toEqual(BOB)
    expect((await app.send({ wfs: second.body.wfs, input: { name: 'Bob' } })).status).toBe(410)
    const again = await app.send({ wfs: app.resent.at(-1)!.token })
    const end = await app.send({ wfs: again.body.wfs, input: { name: 'Bob' } })
    expect(end.body.data).toEqual({ first: 'Ann', second: 'Bob' })
    const sent = app.resent.length
    expect((await app.resend()).status).toBe(404)
    expect(app.resent).toHaveLength(sent)
  })

  it('sends nothing of a flow that was revoked', async () => {
    const app = await openTurns({ keeping })
    await app.begin()
    const [row] = await app.table.findMany({ filter: {} })
    await app.rows.revoke({ schemaId: 'turns/papers' })
    expect(await app.rows.reissueRow(row!.id, row!.version, () => Promise.reject())).toBeNull()
    expect((await app.resend()).status).toBe(404)
    expect(app.resent).toEqual([])
  })

  it('knows nobody while the flow waits for whoever has started it', async () => {
    const app = await openTurns({ keeping })
    await app.send({ wfid: 'turns/alone' })
    expect((await app.resend()).status).toBe(200)
    expect(app.resent[0]!.recipient).toBeUndefined()
  })
})
