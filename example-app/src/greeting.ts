import type { App } from './app'
import { isLoopback } from './settings/loopback'
import { localUrl, type Settings } from './settings/settings'

/** What is printed when the application is ready. */
export function greeting({ host, smtpUrl, isLocal }: Settings, { services, port }: App): string {
  const { address, demo } = services
  const where = address.origin === localUrl(port) ? '' : `, listening on ${host}:${port}`
  const accounts = demo
    .shown()
    ?.accounts.map(
      ({ email, password, totpSecret, recoveryCodes = [] }) =>
        `  ${email} / ${password}` +
        (totpSecret
          ? `, TOTP secret ${totpSecret}, recovery codes ${recoveryCodes.join(' ')}`
          : ''),
    )
  const mails = smtpUrl ? 'Mails go out by SMTP_URL.' : `Mails are at ${address.origin}/inbox`
  return [
    `Ready at ${address.origin}${where}`,
    ...(accounts ? ['', 'Sign in as one of these:', ...accounts] : ['', NO_DEMO]),
    ...(accounts && !isLoopback(new URL(address.origin).hostname) ? ['', PUBLIC_DEMO] : []),
    '',
    smtpUrl || isLocal ? mails : 'Mails cannot be sent: set SMTP_URL.',
    'Stop with Ctrl-C.',
  ].join('\n')
}

const PUBLIC_DEMO =
  'Careful: PUBLIC_URL is not this machine, and whoever reaches it can sign in with these accounts. ' +
  'Set HOST to an address of your network to turn them off.'

const NO_DEMO =
  'HOST is not a loopback address, so there are no demo accounts and no inbox. To make a first admin, ' +
  'start once without HOST, sign in as admin@example.com and invite one.'
