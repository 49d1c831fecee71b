/** Where users find this application. Known for sure once it listens: the port may be any free one. */
export class PublicAddress {
  constructor(public origin: string) {}

  /** A link that goes on with a workflow. */
  linkTo(path: string, token: string): string {
    return `${this.origin}${path}?wfs=${encodeURIComponent(token)}`
  }

  /** The same where the page needs no JavaScript: the endpoint shows the form itself. */
  plainLinkTo(token: string): string {
    return this.linkTo('/api/wf', token)
  }
}
