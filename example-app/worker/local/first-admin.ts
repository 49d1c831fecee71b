import { randomBytes } from 'node:crypto'
import { hashPassword } from '../src/accounts/password-hash'

/** Prints the SQL that makes a first admin, who invites the others. The password is shown this once. */
const [email = ''] = process.argv.slice(2)
if (!/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/u.test(email)) {
  console.error('Whose account? npm run first-admin -- you@example.com')
  process.exit(1)
}
const password = randomBytes(15).toString('base64url')
const values = [
  crypto.randomUUID(),
  email.toLowerCase(),
  'Admin',
  'admin',
  await hashPassword(password),
]
const list = values.map(value => `'${value}'`).join(', ')
console.error(`The password of ${email} is ${password}`)
console.log(
  'insert into users (id, email, name, role, "passwordHash", "isDemo", "createdAt") ' +
    `values (${list}, 0, ${Date.now()});`,
)
