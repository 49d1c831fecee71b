import { Accounts, type NewAccount } from './accounts'
import { Passwords } from './passwords'

/** The accounts of the demo. They count only where the application is for its own machine alone. */
const ACCOUNTS: readonly NewAccount[] = [
  {
    email: 'admin@example.com',
    name: 'Ada Admin',
    role: 'admin',
    password: 'admin-password',
    totpSecret: 'JBSWY3DPEHPK3PXP',
    recoveryCodes: ['demo-0001', 'demo-0002', 'demo-0003', 'demo-0004', 'demo-0005'],
  },
  {
    email: 'manager@example.com',
    name: 'Max Manager',
    role: 'manager',
    password: 'manager-password',
  },
  {
    email: 'second-manager@example.com',
    name: 'Mona Manager',
    role: 'manager',
    password: 'second-manager-password',
  },
  { email: 'member@example.com', name: 'Mia Member', role: 'member', password: 'member-password' },
]

/** Makes the demo accounts, and shows them to whoever wants to try the application. */
export class DemoAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly isLocal: boolean,
  ) {}

  /** Makes those that are missing. What was changed since, such as a password, stays. */
  async seed(): Promise<void> {
    if (!this.isLocal) return
    await Promise.all(
      ACCOUNTS.map(async account => {
        if (await this.accounts.findByEmail(account.email)) return
        await this.passwords.inTurn({ address: '', account: account.email }, hasher =>
          this.accounts.create({ ...account, isDemo: true }, hasher),
        )
      }),
    )
  }

  /** With their passwords; `undefined` where they do not count. */
  shown() {
    return this.isLocal ? ACCOUNTS.map(shownAccount) : undefined
  }
}

function shownAccount({ email, password, role, totpSecret, recoveryCodes }: NewAccount) {
  return { email, password, role, totpSecret, recoveryCodes }
}
