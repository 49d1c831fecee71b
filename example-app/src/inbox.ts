import type { WfEmail } from '@atscript/moost-wf'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

const mails: Mail[] = []

/** Stands in for a mail server: what is sent can be read at /api/inbox, newest first. */
export const inbox = {
  deliver: async ({ target, template, token }: WfEmail): Promise<void> => {
    const text = `Accept it with this token: ${token}`
    mails.unshift({ to: target, subject: `Your ${template}`, text })
    console.log(`Mail for ${target}: see /api/inbox`)
  },
  list: (): readonly Mail[] => mails,
}
