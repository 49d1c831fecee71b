import { AnnotationSpec, type TAnnotationsTree } from '@atscript/core'
import { hasId } from '../rules/form.rule'
import { obeying } from '../rules/rule'

/** The `@ui.*` annotations that our forms and tables need. */
export const uiAnnotations: TAnnotationsTree = {
  table: {
    hidden: flag('Leaves the column out of list views.'),
  },
  form: {
    action: new AnnotationSpec({
      description: 'A button that sends an action instead of the form.',
      nodeType: ['prop', 'interface'],
      argument: [
        { name: 'id', type: 'string', description: 'Id of the action.' },
        { name: 'label', type: 'string', optional: true, description: 'Text of the button.' },
      ],
      validate: obeying(hasId),
    }),
    autocomplete: text('What the browser may fill in, as in HTML.', 'one-time-code'),
    disabled: flag('Shows the field without letting anyone change it.'),
    grid: {
      colSpan: text('How much of the width the field takes.', 'half'),
    },
    hidden: flag('Leaves the field out of the form.'),
    hint: text('A line of help below the field.', 'We never show it to anyone.'),
    order: new AnnotationSpec({
      description: 'Position among the fields; the lowest comes first.',
      nodeType: ['prop'],
      argument: { name: 'order', type: 'number', description: 'Such as 10.' },
    }),
    placeholder: text('Shown while the field is empty.', 'ada@example.com'),
    submit: {
      text: new AnnotationSpec({
        description: 'Text of the button that sends the form.',
        nodeType: ['interface'],
        argument: { name: 'text', type: 'string', description: `Such as 'Sign in'.` },
      }),
    },
    type: text('Kind of input.', 'password'),
  },
}

function flag(description: string): AnnotationSpec {
  return new AnnotationSpec({ description, nodeType: ['prop', 'type'] })
}

function text(description: string, example: string): AnnotationSpec {
  return new AnnotationSpec({
    description,
    nodeType: ['prop', 'type'],
    argument: { name: 'text', type: 'string', description: `Such as '${example}'.` },
  })
}
