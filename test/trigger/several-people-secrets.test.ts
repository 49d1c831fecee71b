import { describe, expect, it } from 'vitest'
import { ADA, BOB, CLEO, DAN } from '../support/panel-app'
import { openPanel } from '../support/panel-endpoint'
import type { Answer } from '../support/shop'

const COMMENT = 'what Ada thinks'
const PEOPLE = [{ to: ADA }, { to: BOB }, { to: CLEO, context: { why: 'for Cleo alone' } }]

/** All that Bob gets to see. */
function watching(panel: Awaited<ReturnType<typeof openPanel>>) {
  const seen: Answer[] = []
  const keep = async (answer: Promise<Answer>) => {
    seen.push(await answer)
    return seen.at(-1)!
  }
  const link = panel.linkOf(BOB)
  return {
    look: () => keep(panel.look(link)),
    open: () => keep(panel.open(link)),
    say: (action: string, more: object = {}, user?: string) =>
      keep(panel.say(link, action, user, more)),
    /** What he was told, of which nothing is of others. */
    told: () => {
      const text = JSON.stringify(
        seen.map(({ status, headers, body }) => ({ status, headers, body })),
      )
      expect(text).not.toContain(COMMENT)
      expect(text).not.toMatch(/ada@|cleo@|dan@|for Cleo alone|fox/u)
      return seen
    },
  }
}

describe('one of several people', () => {
  it('sees nothing of the others, whatever becomes of the links', async () => {
    const panel = await openPanel('fetch', {
      people: PEOPLE,
      how: { quorum: 2, usedNote: true, except: ['the fox'], canChange: false },
    })
    const bob = watching(panel)
    await bob.look()
    await bob.open()
    const said = { input: { comment: COMMENT } }
    await panel.say(panel.linkOf(ADA), 'approve', 'fox', said)
    await bob.look()
    await bob.open()
    await bob.say('approve', { input: { comment: 'x'.repeat(201) } })
    await bob.say('approve', {}, 'the fox')
    await bob.say('approve', {}, 'fox')
    await panel.say(panel.linkOf(CLEO), 'delegate', undefined, { input: { comment: DAN } })
    await panel.api.runDue()
    await bob.open()
    expect((await panel.say(panel.linkOf(DAN), 'approve')).body).toMatchObject({ finished: true })
    for (const answer of [await bob.look(), await bob.open(), await bob.say('approve')]) {
      expect(answer).toMatchObject({ status: 410, body: { error: { code: 'WF_USED' } } })
      // It was answered by others, and when is theirs.
      expect(answer.body.error.answered).toBeUndefined()
    }
    expect(bob.told()).toHaveLength(11)
    // Ada is told of her own answer.
    const hers = await panel.open(panel.linkOf(ADA))
    expect(hers.body.error).toMatchObject({ code: 'WF_USED', answered: { at: expect.any(Number) } })
  })

  it('sees what the others have said where that may be seen, and not their addresses if they are known', async () => {
    const panel = await openPanel('fetch', {
      people: PEOPLE,
      how: { quorum: 2, showsAnswers: true },
    })
    await panel.say(panel.linkOf(ADA), 'approve', 'fox', { input: { comment: COMMENT } })
    const { body } = await panel.open(panel.linkOf(BOB))
    const [answer] = body.inputRequired.context.answers
    expect(answer).toEqual({
      by: 'fox',
      at: expect.any(Number),
      action: 'approve',
      input: { comment: COMMENT },
    })
    expect(JSON.stringify(body)).not.toMatch(/ada@/u)
  })
})
