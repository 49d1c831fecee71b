/**
 * An address from the environment. What is wrong with it is said without quoting it: such addresses
 * hold passwords.
 *
 * @throws Error with a sentence that says what to do
 */
export function readAddress(
  name: string,
  env: NodeJS.ProcessEnv,
  protocols: readonly string[],
): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.hostname && protocols.includes(url.protocol)) return text
  const forms = protocols.map(protocol => `${protocol}//…`).join(' or ')
  throw new Error(`${name} is not an address that we know; set it to ${forms}, or leave it out.`)
}
