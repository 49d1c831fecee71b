import { element } from './element'

const KEY = 'notice'

/** Has the next page say something. */
export const leaveNotice = (text: string) => sessionStorage.setItem(KEY, text)

/** What the page before has left, once. */
export function takeNotice(): HTMLElement[] {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return text ? [element('p', { class: 'notice notice-success', role: 'status' }, text)] : []
}
