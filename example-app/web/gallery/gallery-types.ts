import type { FormProps } from '../form/form-props'

/** What the form has said: the name of the event, then what came with it. */
export type GalleryEvent = readonly [name: string, ...payload: unknown[]]

/** Shows any form in any state. For tests and screenshots; no part of the app that is built. */
export interface Gallery {
  readonly events: GalleryEvent[]
  /** Replaces the properties of the form that are given; `undefined` removes one. */
  show(props: Partial<FormProps>): void
  /** From now on the form is loading as soon as it is sent, as with a real client. */
  loadWhenSent(): void
}
