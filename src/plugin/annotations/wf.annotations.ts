import { AnnotationSpec, type TAnnotationsTree } from '@atscript/core'
import { hasId, isFreeKey } from '../rules/form.rule'
import { canBeMissing, followsDots, holdsPlainValue, isOwnColumn } from '../rules/from-context.rule'
import { obeying } from '../rules/rule'

/** The `@wf.*` annotations. */
export const wfAnnotations: TAnnotationsTree = {
  store: {
    fromContext: new AnnotationSpec({
      description: 'Mirrors a value of the workflow context into this column on every write.',
      nodeType: ['prop'],
      passedWhenReferred: false,
      argument: { name: 'path', type: 'string', description: 'Where in the context: a.b.c' },
      validate: obeying(followsDots, isOwnColumn, holdsPlainValue, canBeMissing),
    }),
  },
  context: {
    pass: new AnnotationSpec({
      description: 'Sends a key of the workflow context to the client, together with the form.',
      nodeType: ['interface', 'type', 'annotate'],
      multiple: true,
      mergeStrategy: 'append',
      argument: { name: 'key', type: 'string', description: 'Key of the context.' },
      validate: obeying(isFreeKey),
    }),
  },
  action: {
    withData: new AnnotationSpec({
      description: 'An action that sends the data of the form along, validated.',
      nodeType: ['prop', 'interface'],
      argument: [
        { name: 'id', type: 'string', description: 'Id of the action.' },
        { name: 'label', type: 'string', optional: true, description: 'Text of the button.' },
      ],
      validate: obeying(hasId),
    }),
  },
}
