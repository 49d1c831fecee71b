import { element, heading } from './element'
import { openFlow, openLink } from './flow-page'
import { openHome } from './home-page'
import { openInbox } from './inbox-page'
import { loadMe, type Me } from './me'
import { show } from './show'

/** Pages by their paths. Some are for those who are signed in. */
const PAGES: Readonly<Record<string, { readonly open: (me: Me) => unknown; isFor?: 'users' }>> = {
  '/': { open: openHome },
  '/sign-in': { open: () => openFlow('auth/sign-in') },
  '/invite': { open: () => openFlow('users/invite'), isFor: 'users' },
  '/expense': { open: () => openFlow('approvals/expense'), isFor: 'users' },
  '/news': { open: () => openFlow('news/write'), isFor: 'users' },
  '/accept': { open: () => openLink('users/invite', 'You are invited') },
  '/decide': { open: () => openLink('approvals/expense', 'An expense waits for you') },
  '/inbox': { open: openInbox },
}

async function main(): Promise<void> {
  const me = await loadMe()
  const nav = document.querySelector('nav')!
  if (me.hasInbox) nav.append(element('a', { href: '/inbox' }, 'Inbox'))
  if (!me.user) nav.append(element('a', { href: '/sign-in' }, 'Sign in'))
  const page = PAGES[location.pathname]
  if (!page) return nothingHere()
  if (page.isFor === 'users' && !me.user) return location.assign('/sign-in')
  await page.open(me)
}

function nothingHere(): void {
  show('Nothing here', heading('There is nothing here'), element('a', { href: '/' }, 'Home'))
}

main().catch((error: Error) =>
  show(
    'Something is wrong',
    heading('Something is wrong'),
    element('p', { role: 'alert' }, error.message),
  ),
)
