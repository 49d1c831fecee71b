import {
  createWfClient,
  type WfClient,
  type WfClientState,
  withoutSecrets,
} from '@atscript/moost-wf/client'
import { button, element, heading } from './element'
import { fetchFirstForm } from './first-form'
import { fetchLinkOnly } from './link-only'
import { leaveNotice } from './notice'
import { pageStorage } from './page-storage'
import { renderForm } from './render-form'
import { show } from './show'

const PATH = '/api/wf'

/** A page whose workflow begins here. */
export async function openFlow(name: string): Promise<void> {
  const storage = pageStorage(location.pathname)
  const client = createWfClient({
    path: PATH,
    name,
    storage,
    fetch: fetchFirstForm(name),
    remember: withoutSecrets,
  })
  follow(client, error => fail(error?.message))
  await client.start()
}

/** A page that somebody comes to by a link. */
export async function openLink(name: string, title: string): Promise<void> {
  const storage = pageStorage(location.pathname)
  const client = createWfClient({ path: PATH, name, storage, fetch: fetchLinkOnly })
  follow(client, error => fail(error?.message, 'This link does not lead on'), title)
  await client.start()
}

/** Shows what becomes of a workflow. */
function follow(
  client: WfClient,
  without: (error: WfClientState['error']) => void,
  linkTitle = '',
): void {
  let shown: WfClientState | undefined
  client.subscribe(state => {
    const main = document.querySelector('main')!
    main.toggleAttribute('aria-busy', state.loading)
    for (const each of main.querySelectorAll('button')) {
      if (state.loading) each.setAttribute('aria-disabled', 'true')
      else each.removeAttribute('aria-disabled')
    }
    if (state.loading || state === shown) return
    shown = state
    if (state.response) return end(state.response)
    if (state.pendingResume) {
      const use = button('Continue', () => void client.resume())
      return show(linkTitle, heading(linkTitle), element('p', {}, 'Nothing is done yet.'), use)
    }
    if (!state.form) return state.error && without(state.error)
    const { title, content } = renderForm(state, {
      submit: data => void client.submit(data),
      act: (id, data) => void client.action(id, data),
    })
    show(title, ...content)
  })
}

function end({ sent, message, next }: NonNullable<WfClientState['response']>): void {
  const text = typeof message === 'string' ? message : message?.text
  if (typeof next === 'string') {
    if (text) leaveNotice(text)
    return location.assign(next)
  }
  const title = sent ? 'It is on its way' : (text ?? 'It goes on by itself')
  const more = sent ? 'Whoever gets the mail goes on with it.' : 'There is nothing more to do here.'
  show(title, heading(title), element('p', { class: 'muted' }, more), home())
}

function fail(message = 'Please try again.', title = 'This did not work'): void {
  show(title, heading(title), element('p', { role: 'status' }, message), home())
}

const home = () => element('a', { href: '/' }, 'Home')
