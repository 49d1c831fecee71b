import { Readable } from 'node:stream'
import { useResponse } from '@wooksjs/event-http'
import { hideTokenShapes } from './hide-tokens'

/** An answer that is a file, written while it is read. */
export class AdminDownload {
  constructor(
    readonly contentType: string,
    readonly filename: string,
    /** Texts, each of which is shown as it is: whoever writes them hides what must not be seen. */
    readonly parts: AsyncIterable<string>,
  ) {}

  /** The stream, with its headers set. An error on its way breaks it off: what is left is no whole file. */
  open(): Readable {
    useResponse().setHeaders({
      'content-type': this.contentType,
      'content-disposition': `attachment; filename="${this.filename}"`,
      'x-content-type-options': 'nosniff',
    })
    return Readable.from(this.parts, { objectMode: false, highWaterMark: 65_536 })
  }
}

/** What a handler gives, as it leaves. */
export const toLeave = (answer: unknown): unknown =>
  answer instanceof AdminDownload ? answer.open() : hideTokenShapes(answer)
