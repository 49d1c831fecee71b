/** How a scanner goes about its work. */
export interface MailScannerOptions {
  /** How often it comes. @default 10 */
  readonly rounds?: number | undefined
  /** A clock that is moved on, so that its visits are spread over three minutes. */
  readonly clock?: { advance(ms: number): void } | undefined
  /** Opens the link in a real browser that runs scripts, and clicks nothing. */
  readonly browse?: ((link: string) => Promise<void>) | undefined
}

const SPAN_MS = 3 * 60_000
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/**
 * A mail scanner, as companies have them: it opens every link in every mail before its reader does,
 * with HEAD and GET, as a program and as a browser, again and again. A link that it can spend is a
 * link that its reader cannot use.
 *
 * @example
 * ```ts
 * import { FakeClock, mailScanner } from '@atscript/moost-wf/testing'
 *
 * const scan = mailScanner({ clock: new FakeClock() })
 * await scan('http://localhost:3000/api/wf?wfs=handle.2f6d')
 * ```
 */
export function mailScanner({ rounds = 10, clock, browse }: MailScannerOptions = {}) {
  return async (link: string): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await visit(link, { method: 'HEAD' })
      await visit(link, {})
      await visit(link, { headers: HTML })
      await browse?.(link)
      clock?.advance(SPAN_MS / rounds)
    }
  }
}

async function visit(link: string, init: RequestInit): Promise<void> {
  const answer = await fetch(link, { redirect: 'follow', ...init })
  await answer.arrayBuffer()
}
