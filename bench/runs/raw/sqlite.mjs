import { runsByHand, textsByHand } from './transitions.mjs'

/** On a driver that waits for nothing, so that transactions cannot get in each other's way. */
export function sqliteByHand(database) {
  const texts = textsByHand({ quote: name => `"${name}"`, mark: () => '?' })
  const prepared = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, database.prepare(text)]),
  )
  const [begin, commit] = ['begin immediate', 'commit'].map(sql => database.prepare(sql))
  let last = Promise.resolve()
  const transact = work => {
    const mine = last.then(async () => {
      begin.run()
      const result = await work((name, values) => {
        if (name !== 'claim') return { rows: [], affected: prepared[name].run(...values).changes }
        const rows = prepared[name].all(...values)
        return { rows, affected: rows.length }
      })
      commit.run()
      return result
    })
    last = mine.catch(() => {})
    return mine
  }
  return { ...runsByHand(transact), close: () => database.close() }
}
