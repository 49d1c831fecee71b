import type { WfMessageToPreview } from '@atscript/moost-wf/admin'
import { HttpError } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { openPeople } from './people-app'

const [ADA, BOB] = ['ada@x.com', 'bob@x.com'] as const

type App = Awaited<ReturnType<typeof openPeople>>

/** Writes all that it is told. */
const tellAll = (message: WfMessageToPreview) => ({
  subject: `To ${message.target}`,
  text: JSON.stringify(message),
  html: `<p>${message.template}: <a href="${message.link}">${message.code}</a></p>`,
})

const pathOf = async (app: App, flowId: string) => {
  const [message] = await app.runs.messages(flowId)
  return `runs/${flowId}/messages/${message!.messageId}`
}

const spellings = (code: string) => [code, code.replaceAll(/[^a-z0-9]/giu, ''), code.toLowerCase()]

describe('a message as it was sent', () => {
  it('is written anew from what its step has said, with neither its link nor its code', async () => {
    const app = await openPeople({ preview: tellAll })
    const flowId = await app.askingOne(ADA)
    const [mail] = app.mails
    const { status, body, text } = await app.get(await pathOf(app, flowId))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      messageId: expect.stringMatching(/^msg_/u),
      outlet: 'email',
      recipient: ADA,
      createdAt: expect.any(Number),
      subject: `To ${ADA}`,
      html: '<p>sign: <a href="[link removed]">[code removed]</a></p>',
    })
    expect(JSON.parse(body.text)).toEqual({
      messageId: body.messageId,
      flowId,
      schemaId: 'expense/sign',
      outlet: 'email',
      target: ADA,
      template: 'sign',
      context: { note: 'a-note-for-you' },
      link: '[link removed]',
      code: '[code removed]',
    })
    expect(mail!.code).toBeTypeOf('string')
    const live = [mail!.token, mail!.token.split('.')[1]!, ...spellings(mail!.code!)]
    for (const secret of live) expect(text).not.toContain(secret)
    // It has changed nothing: the link works as before.
    expect(await app.runner.resume(mail!.token, { input: {} })).toMatchObject({ kind: 'finished' })
  })

  it('is shown when its run has ended, as long as it is kept', async () => {
    const app = await openPeople({ preview: tellAll })
    const flowId = await app.asking([{ to: ADA, context: { why: 'you are the boss' } }, BOB])
    await app.vote(ADA, 'approve')
    await app.vote(BOB, 'approve')
    expect((await app.runs.get(flowId))?.status).toBe('completed')
    const messages = await app.runs.messages(flowId)
    const hers = messages.find(({ recipient }) => recipient === ADA)!
    const { body } = await app.get(`runs/${flowId}/messages/${hers.messageId}`)
    expect(JSON.parse(body.text)).toMatchObject({ context: { why: 'you are the boss' } })
    expect(body.html).toContain('undefined')
  })

  it('is told of without secrets, and hidden where the application puts a live link in', async () => {
    const live: string[] = []
    const app = await openPeople({
      isSecret: key => key === 'pin',
      preview: ({ context }) => ({
        subject: JSON.stringify(context),
        text: `Go on at https://x.com/?wfs=${live[0]}`,
      }),
    })
    const flowId = await app.asking([{ to: ADA, context: { pin: '4711', sum: 7 } }, BOB])
    live.push(app.mails[1]!.token)
    const { body, text } = await app.get(await pathOf(app, flowId))
    expect(JSON.parse(body.subject)).toEqual({ pin: '•••', sum: 7 })
    expect(body).toMatchObject({ text: '•••', html: null })
    expect(text).not.toContain(live[0]!.split('.')[1])
  })

  it('is refused with a sentence where it cannot be shown', async () => {
    const none = await openPeople()
    const flowId = await none.askingOne(ADA)
    const path = await pathOf(none, flowId)
    const refused = async (app: App, asked: string) => {
      const { status, body } = await app.get(asked)
      return [status, body.error.code, body.message]
    }
    expect(await refused(none, path)).toEqual([
      409,
      'WF_NOT_ALLOWED',
      'Messages are not shown here.',
    ])
    expect((await none.get('run-columns')).body.canPreview).toBe(false)

    const not = await openPeople({ preview: () => null })
    const silent = await not.askingOne(ADA)
    expect(await refused(not, await pathOf(not, silent))).toEqual([
      409,
      'WF_NOT_ALLOWED',
      'The application does not show this message.',
    ])
    expect((await not.get('run-columns')).body.canPreview).toBe(true)

    const says = { preview: () => Promise.reject(new HttpError(403, 'That one is private.')) }
    const own = await openPeople(says)
    const mine = await own.askingOne(ADA)
    expect(await refused(own, await pathOf(own, mine))).toEqual([
      403,
      'WF_REJECTED',
      'That one is private.',
    ])

    const broken = await openPeople({ preview: () => Promise.reject(new Error('template 7')) })
    const failed = await broken.askingOne(ADA)
    const [status, code, message] = await refused(broken, await pathOf(broken, failed))
    expect([status, code]).toEqual([500, 'WF_INTERNAL'])
    expect(message).not.toContain('template 7')
  })

  it('is one of the run that is asked for, and for admins alone', async () => {
    const app = await openPeople({ preview: tellAll })
    const [one, two] = [await app.askingOne(ADA), await app.askingOne(BOB)]
    const [theirs] = await app.runs.messages(two)
    for (const id of [theirs!.messageId, 'nothing', '__proto__']) {
      expect((await app.get(`runs/${one}/messages/${id}`)).status).toBe(404)
    }
    expect((await app.get(`runs/nothing/messages/${theirs!.messageId}`)).status).toBe(404)
    const path = await pathOf(app, one)
    expect((await app.ask('GET', path, {}, { authorization: 'Bearer eve' })).status).toBe(403)
  })
})
