import { createApp, h, shallowRef } from 'vue'
import WfForm from '../components/WfForm.vue'
import type { FormProps } from '../form/form-props'
import type { Gallery, GalleryEvent } from './gallery-types'

declare global {
  interface Window {
    gallery: Gallery
  }
}

const shown = shallowRef<Partial<FormProps>>({})
const events: GalleryEvent[] = []
let loadsWhenSent = false

const show = (props: Partial<FormProps>) => {
  shown.value = { ...shown.value, ...props }
}

const record =
  (name: string) =>
  (...payload: unknown[]) => {
    // A copy, because the form may go on changing what it gave.
    events.push(JSON.parse(JSON.stringify([name, ...payload])) as GalleryEvent)
    if (loadsWhenSent && name !== 'update') show({ loading: true })
  }

window.gallery = { events, show, loadWhenSent: () => void (loadsWhenSent = true) }

const listeners = {
  onSubmit: record('submit'),
  onAction: record('action'),
  onUpdate: record('update'),
}

createApp(() => {
  const { form, ...props } = shown.value
  return h('div', { class: 'card' }, form && h(WfForm, { form, ...props, ...listeners }))
}).mount('#gallery')
