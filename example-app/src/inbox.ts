import type { WfEmail } from '@atscript/moost-wf'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

const mails: Mail[] = []

/** Stands in for a mail server: what is sent can be read at /api/inbox, newest first. */
export const inbox = {
  deliver: ({ target, template, context, token }: WfEmail): void => {
    const body = JSON.stringify({ wfs: token, input: { name: 'Your name' } })
    const command = `curl ${String(context.endpoint)} -H 'content-type: application/json' -d '${body}'`
    const text = `You are invited. Accept with your name:\n\n  ${command}\n`
    mails.unshift({ to: target, subject: `Your ${template}`, text })
    console.log(`A mail for ${target} was sent.`)
  },
  list: (): readonly Mail[] => mails,
}
