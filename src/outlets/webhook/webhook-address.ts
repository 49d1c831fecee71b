import { WfError } from '../../errors'

/** Machines that are this one: they may be asked without TLS, and they are not on the open Internet. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Where webhooks may go, and where one goes. */
export class WebhookOrigins {
  readonly #origins: ReadonlySet<string>

  /** @throws WfError `WF_CONFIG` */
  constructor(origins: readonly string[]) {
    if (!Array.isArray(origins) || origins.length === 0) {
      throw new WfError('WF_CONFIG', 'Name the origins that webhooks may go to.')
    }
    this.#origins = new Set(origins.map(checkedOrigin))
  }

  /**
   * The address that a step has named.
   *
   * @throws WfError `WF_CONFIG` for one of an origin that is not listed
   */
  find(target: string | undefined): URL {
    const url = target !== undefined && URL.canParse(target) ? new URL(target) : undefined
    if (!url || url.username !== '' || url.password !== '' || !this.#origins.has(url.origin)) {
      throw new WfError('WF_CONFIG', 'A webhook goes to an address of one of its `origins`.')
    }
    return url
  }
}

/** Whether this machine itself is meant. Nobody else can make a name of these mean another one. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.includes(hostname)

function checkedOrigin(text: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  if (!url || !isSafe || url.origin !== text.replace(/\/$/u, '')) {
    const problem = `"${text}" is no origin for webhooks: https://chat.example.com would be one.`
    throw new WfError('WF_CONFIG', problem)
  }
  return url.origin
}
