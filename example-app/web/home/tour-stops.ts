import type { User } from '../session/session'

/** A thing to try. */
export interface TourStop {
  readonly title: string
  /** Whom to sign in as. */
  readonly role: User['role']
  readonly to: string
  readonly button: string
  readonly todo: string
  readonly see: string
  /** It is about signing in, so that whoever is signed in has to begin anew. */
  readonly isSignIn?: boolean
  /** Only where the server may be killed. */
  readonly needsKill?: boolean
}

/** In the order in which one leads to the next. */
export const TOUR_STOPS: readonly TourStop[] = [
  {
    title: 'Sign in with a code',
    role: 'admin',
    to: '/',
    button: 'Sign in once more',
    isSignIn: true,
    todo: 'Give the password, then the code: the page offers the one of this moment.',
    see: 'Reload half way, or go back: you are still at the code. Wrong codes are counted, and another one can come by mail.',
  },
  {
    title: 'Invite somebody by a magic link',
    role: 'admin',
    to: '/invite',
    button: 'Invite somebody',
    todo: 'Invite any address. Then open the mail in the inbox, best in a private window: that is the other person.',
    see: 'You never see their link. They can open it as often as they like, on any device; it is used by their answer, once.',
  },
  {
    title: 'Let several people decide',
    role: 'member',
    to: '/approvals/new',
    button: 'Submit an expense',
    todo: 'Ask for more than 1,000. Then decide by the mails, or sign in as one of those who are asked.',
    see: 'It waits until enough people have agreed. Who does not answer is reminded, or hands it on to somebody else, and you can withdraw it until then.',
  },
  {
    title: 'Look into the console',
    role: 'admin',
    to: '/admin/runs',
    button: 'Open the console',
    todo: 'Open the run of your invitation.',
    see: 'Its steps, its timeline and its mails. Send one again, extend the link or cancel the run; find runs by SQL columns, and act on many at once.',
  },
  {
    title: 'Kill the server',
    role: 'admin',
    to: '/admin#kill',
    button: 'Go to the button',
    needsKill: true,
    todo: 'Press the button at the end of the console, while something waits.',
    see: 'The process is gone without a word, and back some seconds later. You are still signed in, and everything that waited goes on.',
  },
]
