// The published record with an id and shadow columns, as an .as file that extends it would have them.
import { AsWfStateRecord } from '@atscript/moost-wf/store.as'

const field = (designType, annotations, optional = false) => ({
  type: { kind: '', designType },
  optional,
  metadata: new Map(Object.entries(annotations)),
})

const shadow = (designType, path) =>
  field(designType, { 'wf.store.fromContext': path, 'db.index.plain': [{}] }, true)

export const stateTableType = {
  type: {
    kind: 'object',
    props: new Map([
      ...AsWfStateRecord.type.props,
      ['id', field('string', { 'meta.id': true, 'db.default.uuid': true })],
      ['applicant', shadow('string', 'applicant')],
      ['amount', shadow('number', 'amount')],
    ]),
  },
  metadata: new Map([['db.table', 'wf_states']]),
}
