import { describeFields, shownProps } from './describe-fields'
import type { WfActionView, WfFormView } from './form-view'
import { listOf, recordOf, textOf } from './json'
import { inWords } from './in-words'
import { openSchema, type SchemaNode } from './schema-node'
import type { WfFormSchema } from './form-schema'

/**
 * Turns a form of the wire into what there is to render: fields in their order, with labels, input
 * types and limits, and the buttons. Whatever it does not know becomes a text field.
 *
 * @example
 * ```ts
 * import { createWfClient, describeForm } from '@atscript/moost-wf/client'
 *
 * const { form } = await createWfClient({ path: '/wf', name: 'auth/login' }).start()
 * if (form) {
 *   const { title, fields, submitText } = describeForm(form)
 *   console.log(title, ...fields.map(({ label, type }) => `${label}: ${type}`), submitText)
 * }
 * ```
 */
export const describeForm = (form: WfFormSchema): WfFormView => {
  const node = openSchema(form)
  const { meta } = node
  return {
    title: meta['meta.label'],
    description: meta['meta.description'],
    submitText: meta['ui.form.submit.text'] ?? 'Continue',
    fields: describeFields(node),
    actions: [node, ...shownProps(node)].flatMap(describeActions),
  }
}

/** The buttons of a form, or of a field, which may be the label of its button. */
const describeActions = ({ name, meta }: SchemaNode): WfActionView[] =>
  ['ui.form.action', 'wf.action.withData'].flatMap((annotation, withData) =>
    listOf(meta[annotation]).flatMap(action => {
      // The bare id, where another plugin has compiled the form.
      const { id = action, label = name && meta['meta.label'] } = recordOf(action)
      return textOf(id)
        ? { id: id as string, label: textOf(label) || inWords(id as string), withData: !!withData }
        : []
    }),
  )
