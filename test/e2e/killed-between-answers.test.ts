import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser'
import { type ExampleApp, newFolder, startExampleApp } from '../support/example-app'
import { freePort } from '../support/free-port'
import { arrive, linkIn, MAY_REFUSE, openSite, press, START_MS, visitorOf } from './site'

async function kill({ child }: ExampleApp): Promise<void> {
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

describeInBrowser('an application that is killed between two answers', () => {
  it(
    'goes on where it was after its restart, with the links and pages that were open',
    async () => {
      const env = { DATA_DIR: newFolder(), PORT: String(await freePort()) }
      const app = await startExampleApp(env)
      const member = await visitorOf(app, 'member')
      const input = { amount: 1800, currency: 'GBP', reason: 'A bench' }
      await member.wf({ wfid: 'approvals/expense', input })
      const openLink = async (name: 'manager' | 'second-manager') => {
        const link = linkIn(await app.mailTo(`${name}@example.com`, '1,800.00 GBP'))
        const page = await openSite(app, link, {
          as: await visitorOf(app, name),
          mayLog: MAY_REFUSE,
        })
        await press(page, 'Continue')
        await arrive(page, 'Your decision')
        return page
      }
      const [first, second] = [await openLink('manager'), await openLink('second-manager')]
      await press(first, 'Approve')
      await first.getByText('It is noted, and others are asked.').waitFor()

      await kill(app)
      const again = await startExampleApp(env)
      // Its form was open all the while.
      await press(second, 'Approve')
      await arrive(second, 'The expense is approved.')
      const { body } = await member.get('/api/approvals')
      const [expense] = body.mine
      expect(expense).toMatchObject({ reason: 'A bench', status: 'approved' })
      expect(expense.history).toMatchObject([
        { by: 'manager@example.com', what: 'approve' },
        { by: 'second-manager@example.com', what: 'approve' },
      ])
      await again.mailTo('member@example.com', 'Approved: 1,800.00 GBP')
    },
    START_MS,
  )
})
