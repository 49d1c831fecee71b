import type { TPrimitiveConfig } from '@atscript/core'

/** `ui.action`: a button of a form. It has no value, so it is no part of the form's data. */
export const uiPrimitive: TPrimitiveConfig = {
  documentation: 'Parts of a form that hold no data.',
  type: 'phantom',
  isContainer: true,
  extensions: {
    action: { type: 'phantom', documentation: 'A button that sends an action.' },
  },
}
