import { WfError } from '../errors'

/** @throws WfError `WF_CONFIG`, without the URL, which holds a password */
export function checkUrl(url: string, scheme: RegExp): string {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' }
  if (scheme.test(protocol)) return url
  throw new WfError(
    'WF_CONFIG',
    'The address of the database is not a URL such as postgres://user:password@host:5432/name or mysql://user:password@host:3306/name.',
  )
}
