import type { WfFieldView } from '@atscript/moost-wf/client'

/** Types whose values no browser should correct. */
const NOT_PROSE = new Set(['password', 'email', 'url', 'tel'])

/**
 * The attributes of a control that one types into. Lengths are left to the server: `maxlength` would
 * cut what is pasted without a word.
 */
export function controlAttributes(field: WfFieldView): Record<string, unknown> {
  const isCode = field.autocomplete === 'one-time-code'
  const isProse = !isCode && !field.secret && !NOT_PROSE.has(field.type)
  return {
    type: field.kind === 'number' ? 'text' : field.type,
    readonly: field.disabled,
    placeholder: field.placeholder,
    autocomplete: field.autocomplete ?? (field.secret ? 'off' : undefined),
    inputmode: field.inputMode ?? keyboardOf(field, isCode),
    autocapitalize: isProse ? undefined : 'none',
    spellcheck: isProse ? undefined : 'false',
    'data-code': isCode ? '' : undefined,
  }
}

/** The keyboard for numbers has no minus on some phones. */
function keyboardOf({ kind, min }: WfFieldView, isCode: boolean): string | undefined {
  if (isCode) return 'numeric'
  return kind === 'number' && min !== undefined && min >= 0 ? 'decimal' : undefined
}
