import { element } from './element'

const main = document.querySelector('main')!

/** Shows something in place of what is there, and has it read out. */
export function show(title: string, ...content: readonly (Node | string)[]): void {
  document.title = `${title} · Workflows on Workers`
  main.replaceChildren(element('div', { class: 'card stack' }, ...content))
  const first = main.querySelector<HTMLElement>('[role=alert], h1')
  first?.focus()
}
