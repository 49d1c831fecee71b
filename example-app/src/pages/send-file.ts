import { useHeaders, useResponse } from '@atscript/moost-wf/http'
import { chooseEncoding } from './encodings'
import type { PageFile } from './page-files'

const NOT_MODIFIED = 304

/**
 * The body of an answer that is a file, with its headers set. Only files are compressed, which are the
 * same for everybody: how small an answer becomes would tell about a secret in it.
 */
export function sendFile({ type, caching, digest, content, encoded }: PageFile): Buffer | '' {
  const response = useResponse()
  const { 'accept-encoding': accepted, 'if-none-match': known } = useHeaders()
  const encoding = chooseEncoding(accepted, name => encoded.has(name))
  const tag = `"${encoding ? `${digest}-${encoding}` : digest}"`
  response.setHeaders({ 'cache-control': caching, etag: tag })
  if (encoded.size > 0) response.setHeader('vary', 'accept-encoding')
  if (isKnown(known, tag)) {
    response.setStatus(NOT_MODIFIED)
    return ''
  }
  response.setHeader('content-type', type)
  if (!encoding) return content
  response.setHeader('content-encoding', encoding)
  return encoded.get(encoding) ?? content
}

// Proxies that compress by themselves make tags weak.
const isKnown = (known: string | undefined, tag: string): boolean =>
  (known ?? '').split(',').some(each => each.trim().replace(/^W\//u, '') === tag)
