const CONTROLS = 'input, select, textarea, button'
/** Controls that one types into. */
const TEXT_CONTROLS = 'input:not([type="checkbox"], [type="radio"], [readonly]), textarea'

/** Focuses the first field that has an error of its own; `false` if there is none. */
export function focusFirstInvalid(form: HTMLElement): boolean {
  const field = form.querySelector('[data-invalid]')
  const control =
    field?.querySelector<HTMLElement>('input:checked[type="radio"]') ??
    field?.querySelector<HTMLElement>(CONTROLS)
  control?.focus()
  return control !== undefined && control !== null
}

/** Begins a form: where one types, or, if that is not the first thing to do, at its heading. */
export function focusStart(form: HTMLElement, heading: HTMLElement | null): void {
  const first = form.querySelector<HTMLElement>(CONTROLS)
  const start = first?.matches(TEXT_CONTROLS) ? first : (heading ?? first)
  start?.focus()
}

/** Focuses the first control inside of `element`; `false` if there is none. */
export function focusInside(element: Element | null | undefined): boolean {
  const control = element?.querySelector<HTMLElement>(CONTROLS)
  control?.focus()
  return Boolean(control)
}
