import { createPool } from '../../tables/databases/mysql.mjs'
import { runsByHand, textsByHand } from './transitions.mjs'

export function mariadbByHand(url) {
  const pool = createPool(url).promise()
  const texts = textsByHand({ quote: name => `\`${name}\``, mark: () => '?' })
  const transact = async work => {
    const connection = await pool.getConnection()
    try {
      await connection.query('begin')
      const result = await work(async (name, values) => {
        const [{ affectedRows }] = await connection.execute(texts[name], values)
        return { rows: [], affected: affectedRows }
      })
      await connection.query('commit')
      return result
    } finally {
      connection.release()
    }
  }
  return { ...runsByHand(transact), close: () => pool.end() }
}
