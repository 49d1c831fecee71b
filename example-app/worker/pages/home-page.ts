import { button, element, heading } from './element'
import type { Me } from './me'
import { takeNotice } from './notice'
import { show } from './show'

/** What there is to do. */
export function openHome({ user }: Me): void {
  const title = user ? `Hello, ${user.name}` : 'Hello'
  const role = user ? `You are signed in as ${user.email}, ${user.role}.` : undefined
  show(
    title,
    ...takeNotice(),
    heading(title),
    element('p', { class: 'muted' }, role ?? 'Workflows that live at the edge.'),
    ...(user ? [links(user.role), button('Sign out', signOut, 'secondary')] : [SIGN_IN]),
  )
}

const SIGN_IN = element('a', { class: 'button button-primary', href: '/sign-in' }, 'Sign in')

function links(role: string): HTMLElement {
  const all = [
    ['/expense', 'Submit an expense'],
    ...(role === 'admin'
      ? [
          ['/invite', 'Invite someone'],
          ['/news', 'Write to everybody'],
        ]
      : []),
  ] as const
  const items = all.map(([href, text]) => element('li', {}, element('a', { href }, text)))
  return element('ul', { class: 'links' }, ...items)
}

function signOut(): void {
  void fetch('/api/sign-out', { method: 'POST' }).then(() => location.assign('/'))
}
