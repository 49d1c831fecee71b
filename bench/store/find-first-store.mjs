/**
 * What stores of other packages do: look, then insert or replace; look, then delete, and let the
 * count decide. On the same table, so that only the statements differ.
 */
export function findFirstStore(table) {
  const find = handle => table.findOne({ filter: { handle } })
  return {
    async set(handle, { schemaId, indexes, context }, expiresAt) {
      const now = Date.now()
      const existing = await find(handle)
      const row = {
        handle,
        schemaId,
        state: { context, indexes },
        version: (existing?.version ?? 0) + 1,
        expiresAt,
        updatedAt: now,
        createdAt: existing?.createdAt ?? now,
        inviteEmail: context.email,
      }
      if (existing) await table.replaceMany({ handle }, row)
      else await table.insertOne(row)
    },
    async getAndDelete(handle) {
      const row = await find(handle)
      if (!row || (row.expiresAt !== null && row.expiresAt <= Date.now())) return null
      const { deletedCount } = await table.deleteMany({ handle })
      if (deletedCount !== 1) return null
      return { state: { schemaId: row.schemaId, ...row.state }, expiresAt: row.expiresAt }
    },
  }
}
