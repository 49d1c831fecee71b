// What a form looks like, for whoever renders it: in a browser, or on the server. Imports nothing.
export { attempt } from './attempt'
export { describeForm } from './describe-form'
export type { WfAnnotations, WfFormSchema, WfTypeSchema } from './form-schema'
export type { WfActionView, WfFieldView, WfFormView, WfOptionView } from './form-view'
export { inWords } from './in-words'
export { initialData } from './initial-data'
export { listOf, recordOf, textOf } from './json'
export { openSchema, propsOf, type SchemaNode } from './schema-node'
