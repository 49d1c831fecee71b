import { createPool } from '../../tables/databases/postgres.mjs'
import { runsByHand, textsByHand } from './transitions.mjs'

export function postgresByHand(url) {
  const pool = createPool(url)
  const texts = textsByHand({ quote: name => `"${name}"`, mark: at => `$${at}` })
  const transact = async work => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(async (name, values) => {
        const { rows, rowCount } = await client.query({ name, text: texts[name], values })
        return { rows, affected: rowCount }
      })
      await client.query('commit')
      return result
    } finally {
      client.release()
    }
  }
  return { ...runsByHand(transact), close: () => pool.end() }
}
