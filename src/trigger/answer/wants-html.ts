import { useHeaders } from '@wooksjs/event-http'

/** Only a browser that navigates names HTML; scripts send a wildcard. */
export function wantsHtml(): boolean {
  return Boolean(useHeaders().accept?.includes('text/html'))
}
