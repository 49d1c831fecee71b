import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { Accounts } from '../../example-app/src/accounts/accounts'
import { hashPassword, isPassword } from '../../example-app/src/accounts/password-hash'
import { Database } from '../../example-app/src/database/database'

const hasher = { hash: hashPassword, isRight: isPassword }

/** Accounts, and one of them as somebody has read it a while ago. */
async function openAccounts() {
  const database = new Database(openSqlite(':memory:'))
  onTestFinished(() => database.close())
  await database.open()
  const accounts = new Accounts(database, true)
  const account = { email: 'ada@example.com', name: 'Ada', role: 'admin', password: 'one' } as const
  const user = (await accounts.create(account, hasher))!
  return { accounts, user }
}

it('adds a second factor to an account that has none by now, not when it was read', async () => {
  const { accounts, user } = await openAccounts()
  expect(await accounts.addSecondFactor(user, 'FIRST', ['aaaaa-aaaaa'])).toBe(true)
  expect(await accounts.addSecondFactor(user, 'OTHER', ['bbbbb-bbbbb'])).toBe(false)
  expect((await accounts.findById(user.id))?.totpSecret).toBe('FIRST')
  expect(await accounts.useRecoveryCode(user.id, 'bbbbb-bbbbb')).toBe(false)
  expect(await accounts.useRecoveryCode(user.id, 'AAAAA aaaaa')).toBe(true)
  expect(await accounts.useRecoveryCode(user.id, 'aaaaa-aaaaa')).toBe(false)
})

it('adds none to an account whose password was changed meanwhile', async () => {
  const { accounts, user } = await openAccounts()
  expect(await accounts.changePassword(user, 'two', hasher)).toBe(true)
  expect(await accounts.addSecondFactor(user, 'FIRST', ['aaaaa-aaaaa'])).toBe(false)
  expect((await accounts.findById(user.id))?.totpSecret).toBeFalsy()
})
