type Child = Node | string | false | undefined

/** Makes an element. Texts are texts, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children.filter(child => child !== false && child !== undefined))
  return made
}

/** A heading that can have the focus, so that it is read out when the page changes. */
export const heading = (text: string) => element('h1', { tabindex: '-1' }, text)

export function button(text: string, press: () => void, kind = 'primary'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: `button button-${kind}` }, text)
  made.addEventListener('click', press)
  return made
}
