import type { App } from './app'
import { localUrl, type Settings } from './settings/settings'

/** What is printed when the application is ready. */
export function greeting(
  { host, smtpUrl, proxies, canBeKilled }: Settings,
  { services, port }: App,
): string {
  const { address, demo, mailer } = services
  const where = address.origin === localUrl(port) ? '' : `, listening on ${host}:${port}`
  const accounts = demo
    .shown()
    ?.map(
      ({ email, password, totpSecret, recoveryCodes = [] }) =>
        `  ${email} / ${password}` +
        (totpSecret
          ? `, TOTP secret ${totpSecret}, recovery codes ${recoveryCodes.join(' ')}`
          : ''),
    )
  const mails = mailer.received() ? `Mails are at ${address.origin}/inbox` : NO_MAILS
  return [
    `Ready at ${address.origin}${where}`,
    ...(accounts ? ['', 'Sign in as one of these:', ...accounts] : ['', NO_DEMO]),
    ...(accounts && proxies > 0 ? ['', DEMO_BEHIND_PROXY] : []),
    '',
    smtpUrl ? 'Mails go out by SMTP_URL.' : mails,
    ...(canBeKilled ? [`Kill this server at ${address.origin}/admin#kill: nothing is lost.`] : []),
    'Stop with Ctrl-C.',
  ].join('\n')
}

const DEMO_BEHIND_PROXY =
  'Careful: whoever reaches the proxy can sign in with these accounts. Set PUBLIC_URL to where users ' +
  'find this application, and they are off.'

const NO_DEMO =
  'HOST or PUBLIC_URL is not this machine, so there are no demo accounts and no inbox. To make a first ' +
  'admin, start once without both, sign in as admin@example.com and invite one.'

const NO_MAILS =
  'SMTP_URL is missing, so no mail can be sent: nobody can be invited, recover a password or decide ' +
  'about an expense. Set it to smtp://… or smtps://…'
