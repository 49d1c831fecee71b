/** What the built-in pages say beside what a workflow, a form or a refusal says. */
export interface WfPageTexts {
  /** Before the title of a form that was not right. @default 'Error:' */
  readonly error: string
  /** Above the list of what is wrong. @default 'There is a problem' */
  readonly problems: string
  /** Behind the label of a field that may be left empty. @default '(optional)' */
  readonly optional: string
  /** The empty entry of a list to choose from. @default 'Please choose' */
  readonly choose: string
  /** For a choice that need not be made. @default 'No answer' */
  readonly none: string
  /** @default 'yes' */
  readonly yes: string
  /** @default 'no' */
  readonly no: string
  /** Before the names of fields that need a script. @default 'This page cannot ask for:' */
  readonly leftOut: string
  /** Leads to `resumeUrl`, where they can be filled in. @default 'Fill in the whole form' */
  readonly elsewhere: string
  /** For what is no form. @default 'This cannot be shown here.' */
  readonly notHere: string
  /** For whoever has a dead link, and whose turn it is. @default 'Send me a fresh link' */
  readonly fresh: string
  /**
   * When they have asked for it, whether or not there is anything to send.
   * @default 'If this link can be renewed, a fresh one is on its way to where this one was sent.'
   */
  readonly freshAsked: string
  /** @default 'Start again' */
  readonly restart: string
  /** @default 'Done. You can close this page.' */
  readonly done: string
  /** @default 'A message is on its way.' */
  readonly sent: string
  /** Of the field for a code in that message. @default 'Code' */
  readonly code: string
  /** @default 'If the message is on another device, type the code in it here.' */
  readonly codeHelp: string
  /** The button beside it. @default 'Go on here' */
  readonly enterCode: string
  /** Before a number. @default 'Tries left:' */
  readonly triesLeft: string
  /** Of the field for the code that a link needs. @default 'It was sent to whoever this link is for.' */
  readonly linkCodeHelp: string
  /** The button by which that is sent. @default 'Send me a code' */
  readonly sendCode: string
  /** When they have asked for it. @default 'If this link needs a code, it is on its way.' */
  readonly codeAsked: string
  /** @default 'We have got your answer, and are still working on it.' */
  readonly working: string
  /** For one of several people, while the others are still asked. @default 'Thank you. This is noted, and others are still asked.' */
  readonly noted: string
  /** Where it is not final. @default 'Until it is decided you can come back by the same link.' */
  readonly notFinal: string
  /** @default 'Thank you.' */
  readonly thanks: string
  /** When the same is sent twice. @default 'We had received this already. Nothing was done twice.' */
  readonly repeated: string
  /** When the same can be sent again. @default 'Nothing is lost: reload this page to send it again.' */
  readonly reload: string
}

export const PAGE_TEXTS: WfPageTexts = {
  error: 'Error:',
  problems: 'There is a problem',
  optional: '(optional)',
  choose: 'Please choose',
  none: 'No answer',
  yes: 'yes',
  no: 'no',
  leftOut: 'This page cannot ask for:',
  elsewhere: 'Fill in the whole form',
  notHere: 'This cannot be shown here.',
  fresh: 'Send me a fresh link',
  freshAsked: 'If this link can be renewed, a fresh one is on its way to where this one was sent.',
  restart: 'Start again',
  done: 'Done. You can close this page.',
  sent: 'A message is on its way.',
  code: 'Code',
  codeHelp: 'If the message is on another device, type the code in it here.',
  enterCode: 'Go on here',
  triesLeft: 'Tries left:',
  linkCodeHelp: 'It was sent to whoever this link is for.',
  sendCode: 'Send me a code',
  codeAsked: 'If this link needs a code, it is on its way.',
  working: 'We have got your answer, and are still working on it.',
  noted: 'Thank you. This is noted, and others are still asked.',
  notFinal: 'Until it is decided you can come back by the same link.',
  thanks: 'Thank you.',
  repeated: 'We had received this already. Nothing was done twice.',
  reload: 'Nothing is lost: reload this page to send it again.',
}

/** The texts of a page, where it has none of its own ours. */
export function textsOf({
  texts = {},
}: {
  readonly texts?: Partial<WfPageTexts> | undefined
}): WfPageTexts {
  return { ...PAGE_TEXTS, ...texts }
}
