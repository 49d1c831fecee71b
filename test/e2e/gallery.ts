import type { BrowserContextOptions, Page } from 'playwright-core'
import type { FormProps } from '../../example-app/web/form/form-props'
import type { Gallery, GalleryEvent } from '../../example-app/web/gallery/gallery-types'
import { openPage } from '../support/browser'
import { openWebPage } from './web-page'

interface WithGallery {
  readonly gallery: Gallery
}

/** A page with a form on it, which the test changes with {@link show}. */
export async function openGallery(
  props: Partial<FormProps>,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await openPage(options)
  await openWebPage(page, 'http://localhost', 'gallery.html')
  await show(page, props)
  return page
}

export async function show(page: Page, props: Partial<FormProps>): Promise<void> {
  await page.evaluate(given => (globalThis as unknown as WithGallery).gallery.show(given), props)
}

/** From now on the form is loading as soon as it is sent. */
export async function loadWhenSent(page: Page): Promise<void> {
  await page.evaluate(() => (globalThis as unknown as WithGallery).gallery.loadWhenSent())
}

/** What the form has emitted, without the updates that every key gives. */
export async function sentEvents(page: Page): Promise<GalleryEvent[]> {
  return (await allEvents(page)).filter(([name]) => name !== 'update')
}

export function allEvents(page: Page): Promise<GalleryEvent[]> {
  return page.evaluate(() => (globalThis as unknown as WithGallery).gallery.events)
}
