/** An address that whoever has it knows again: `a•••n@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email.slice(0, at)
  const last = name.length > 2 ? name.at(-1) : ''
  return `${name.at(0) ?? ''}•••${last}${email.slice(at)}`
}
