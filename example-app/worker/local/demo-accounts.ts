import { openD1, type D1Binding } from '@atscript/moost-wf/db/d1'
import { hashPassword } from '../src/accounts/password-hash'
import { Database } from '../src/database/database'

/** The accounts of the demo. They count only where PUBLIC_URL is this machine. */
export const DEMO_ACCOUNTS = [
  { name: 'Ada Admin', email: 'admin@example.com', role: 'admin', password: 'admin-password' },
  {
    name: 'Max Manager',
    email: 'manager@example.com',
    role: 'manager',
    password: 'manager-password',
  },
  { name: 'Mia Member', email: 'member@example.com', role: 'member', password: 'member-password' },
] as const

/** Makes those that are missing. */
export async function makeDemoAccounts(binding: D1Binding): Promise<void> {
  const { users } = new Database(openD1(binding))
  for (const { password, ...account } of DEMO_ACCOUNTS) {
    if (await users.findOne({ filter: { email: account.email } })) continue
    await users.insertOne({ ...account, passwordHash: await hashPassword(password), isDemo: true })
  }
}
