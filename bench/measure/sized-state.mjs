/** A workflow state whose context is about this long as JSON. */
export function stateOf(bytes) {
  const context = { email: 'ada@example.com', tries: 1, items: [] }
  while (JSON.stringify(context).length < bytes) {
    context.items.push({
      id: context.items.length,
      note: 'some words that a user has typed',
      ok: true,
    })
  }
  return { schemaId: 'auth/login', indexes: [1, 0], context }
}
