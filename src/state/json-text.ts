/** What a JSON column is to hold, as text: it is written as it is, without being looked at again. */
export class JsonText {
  /** @param text JSON, of which nobody doubts that it is that */
  constructor(readonly text: string) {}

  /** For a table that writes JSON by itself. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}
