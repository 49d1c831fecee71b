/**
 * Fills in the fields of the form that is shown, by their names, as if they were typed: a form takes
 * passwords and codes from its user only. The focus goes to the last one.
 */
export function typeInto(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = document.querySelector<HTMLInputElement>(`form [name="${CSS.escape(name)}"]`)
    if (!field) continue
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
}
