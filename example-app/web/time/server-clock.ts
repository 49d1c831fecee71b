import { computed, type Ref, shallowRef } from 'vue'

/** How far the server's clock may be ahead of the browser's. */
interface Bounds {
  readonly least: number
  readonly most: number
}

/** A `Date` header has no fractions of a second. */
const HEADER_MS = 1000

const bounds = shallowRef<Bounds>()

/** How far the server's clock is ahead. A browser's clock that may be right is taken to be. */
const aheadMs = computed(() => {
  if (!bounds.value) return 0
  const { least, most } = bounds.value
  return least <= 0 && most >= 0 ? 0 : (least + most) / 2
})

/** Takes notice of an answer: its `Date` was written between the two times of the browser's clock. */
export function hearServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  const heard = { least: at - receivedAt, most: at + HEADER_MS - sentAt }
  const both = bounds.value && {
    least: Math.max(bounds.value.least, heard.least),
    most: Math.min(bounds.value.most, heard.most),
  }
  // Where they contradict each other, one of the clocks was set.
  bounds.value = both && both.least <= both.most ? both : heard
}

/** A time of the browser's clock as the server's clock has it. */
export const byServerClock = (time: Readonly<Ref<number>>): Readonly<Ref<number>> =>
  computed(() => time.value + aheadMs.value)
