import { WfError } from '../errors'

/** @throws WfError `WF_CONFIG`, without the URL, which holds a password */
export function checkUrl(url: string, scheme: RegExp): string {
  const parsed = URL.canParse(url) && /^\w+:\/\//u.test(url) ? new URL(url) : undefined
  if (parsed && scheme.test(parsed.protocol) && canBeDecoded(parsed)) return url
  throw new WfError(
    'WF_CONFIG',
    'The address of the database is not a URL such as postgres://user:password@host:5432/name or mysql://user:password@host:3306/name. What is special in a password is written as in %40 for @.',
  )
}

/** Drivers decode what stands between the marks, and would throw. */
function canBeDecoded({ username, password, pathname, search }: URL): boolean {
  try {
    for (const part of [username, password, pathname, search]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
