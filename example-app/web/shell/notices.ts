import { readonly, shallowRef } from 'vue'

/** Something that was done, for the user to read in passing. */
export interface Notice {
  readonly id: number
  readonly text: string
}

const SHOWN_MS = 8000

const notice = shallowRef<Notice>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Says a sentence at the edge of the screen, on whichever page comes next. */
export function notify(text: string): void {
  clearTimeout(timer)
  notice.value = { id: (notice.value?.id ?? 0) + 1, text }
  timer = setTimeout(dismissNotice, SHOWN_MS)
}

export function dismissNotice(): void {
  notice.value = undefined
}

export const useNotice = () => readonly(notice)
