/** What the form component itself says; everything else comes from the schema or the server. */
export const texts = {
  checkFields: (count: number) =>
    count === 1 ? 'Please check 1 field.' : `Please check ${count} fields.`,
  wait: 'Please wait.',
  choose: 'Please choose',
  noChoice: 'Not specified',
  show: (label: string) => `Show ${label.toLowerCase()}`,
  add: 'Add',
  addTo: (label: string) => ` to ${label}`,
  remove: 'Remove',
  optional: '(optional)',
  emptyList: 'None yet.',
  requiredNote: 'Fields marked with * are required.',
}
