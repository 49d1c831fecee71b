import {
  abortWf,
  finishWf,
  type FinishWfOptions,
  Step,
  useAtscriptWf,
  type WfActionRequest,
  type WfButton,
  type WfNext,
  Workflow,
  WorkflowSchema,
} from '@atscript/moost-wf'
import { Controller } from 'moost'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/gallery-forms.as'
import { describeInBrowser, type PageOptions, screenshot } from '../support/browser'
import { accessibilityProblems, colorProblems } from './axe'
import { openFlowPage } from './flow-page'
import { press } from './site'

const HOME: WfActionRequest = { type: 'redirect', target: '/home' }
const button = (label: string, action: WfActionRequest): WfButton => ({ label, action })

/** A page whose workflow has asked for a code, has got it, and has ended so. */
async function openEnd(end: () => void, options?: PageOptions): Promise<Page> {
  @Controller('users')
  class Ending {
    @Workflow('invite')
    @WorkflowSchema(['code', 'end'])
    flow() {}

    @Step('code')
    code() {
      useAtscriptWf(CodeForm).resolveInput()
    }

    @Step('end')
    end() {
      end()
    }
  }
  const page = await openFlowPage(Ending, { ...options, before: stopClock })
  await page.getByLabel('Code').fill('123456')
  await page.keyboard.press('Enter')
  return page
}

/** From now on time passes when a test says so. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
}

const openFinish = (end: FinishWfOptions, options?: PageOptions) =>
  openEnd(() => finishWf(end), options)

const pathOf = (page: Page): string => new URL(page.url()).pathname
const arriveAt = (page: Page, path: string) => page.waitForURL(url => url.pathname === path)
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const looksOf = async (page: Page) =>
  page.getByRole('button').evaluateAll(all => all.map(each => each.className))

const COUNTDOWN = {
  trigger: 'auto',
  timeoutMs: 5000,
  action: HOME,
} as const satisfies WfNext

describeInBrowser('the end of a workflow', () => {
  it.each<[string, FinishWfOptions['next']]>([
    ['a path', '/home'],
    ['an action', { trigger: 'immediate', action: HOME }],
  ])('leads on at once: %s', async (_what, next) => {
    const page = await openFinish({ next })
    await arriveAt(page, '/home')
    // The workflow is not behind the page that it led to.
    expect(await page.evaluate('history.length')).toBe(2)
  })

  it('says that all is done where there is nothing else to say', async () => {
    const page = await openFinish({})
    await title(page, 'All done.').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })

  it('says what it has to say to whoever listens: the heading has the focus', async () => {
    const message = { level: 'error', text: 'That went wrong.' } as const
    const page = await openFinish({ message })
    await title(page, 'That went wrong.').waitFor()
    await page.getByRole('img', { name: 'Error' }).waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  })

  it('counts down, and then goes on', async () => {
    const page = await openFinish({ message: 'You are signed in.', next: COUNTDOWN })
    const timer = page.getByRole('timer')
    await timer.getByText('You go on in 5 seconds.').waitFor()
    expect(await title(page, 'You are signed in.').getAttribute('aria-describedby')).toBe(
      await timer.getAttribute('id'),
    )
    expect(await page.getByRole('button').count()).toBe(0)
    await page.clock.runFor(4000)
    await timer.getByText('You go on in 1 second.').waitFor()
    expect(pathOf(page)).toBe('/flow.html')
    await page.clock.runFor(1000)
    await arriveAt(page, '/home')
  })

  it('does not make anyone wait who will not', async () => {
    const skipButton = { label: 'Go on now' }
    const page = await openFinish({ next: { ...COUNTDOWN, skipButton } })
    await press(page, 'Go on now')
    await arriveAt(page, '/home')
  })

  it('stays where it is for whoever wants to stay', async () => {
    const skipButton = { label: 'Stay here', behavior: 'cancel' } as const
    const page = await openFinish({ next: { ...COUNTDOWN, skipButton } })
    await press(page, 'Stay here')
    await page.getByRole('status').getByText('You stay here.').waitFor()
    await page.clock.runFor(60_000)
    expect(pathOf(page)).toBe('/flow.html')
    await press(page, 'Go on')
    await arriveAt(page, '/home')
  })

  it('lets its user choose by keyboard, and shows which button is meant first', async () => {
    const next: WfNext = {
      trigger: 'manual',
      primary: button('Take the tour', { type: 'redirect', target: '/tour' }),
      options: [button('Not now', HOME), button('Close', { type: 'dismiss' })],
    }
    const page = await openFinish({ message: 'Your account is ready.', next })
    await title(page, 'Your account is ready.').waitFor()
    expect(await looksOf(page)).toEqual([
      'button button-primary',
      'button button-secondary',
      'button button-secondary',
    ])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await arriveAt(page, '/home')
  })

  it('shows buttons alike where none is meant first, and is done with when it is dismissed', async () => {
    const next: WfNext = {
      trigger: 'manual',
      options: [button('Home', HOME), button('Close', { type: 'dismiss' })],
    }
    const page = await openFinish({ next })
    await page.getByRole('button').first().waitFor()
    expect(new Set(await looksOf(page)).size).toBe(1)
    await press(page, 'Close')
    await page.getByRole('status').getByText('You can close this page.').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(pathOf(page)).toBe('/flow.html')
  })

  it('can begin again, also when it was aborted', async () => {
    const next: WfNext = { trigger: 'manual', primary: button('Again', { type: 'reload' }) }
    const page = await openEnd(() => abortWf('locked', { message: 'Too many codes.', next }))
    await page.getByRole('img', { name: 'Warning' }).waitFor()
    await title(page, 'Too many codes.').waitFor()
    await press(page, 'Again')
    await title(page, 'Check your phone').waitFor()
  })
})

const STATES: Readonly<Record<string, FinishWfOptions>> = {
  'finish-message': {
    message: { level: 'info', text: 'Thank you. This is noted, and others are still asked.' },
  },
  'finish-error': {
    message: { level: 'error', text: 'This invitation was taken back. Ask whoever sent it.' },
  },
  'finish-skip': {
    message: { level: 'success', text: 'You are signed in.' },
    next: { ...COUNTDOWN, timeoutMs: 60_000, skipButton: { label: 'Go on now' } },
  },
  'finish-cancel': {
    message: { level: 'warn', text: 'Your session ends soon.' },
    next: {
      ...COUNTDOWN,
      timeoutMs: 60_000,
      skipButton: { label: 'Stay here', behavior: 'cancel' },
    },
  },
  'finish-choice': {
    message: { level: 'success', text: 'Your account is ready. Have a look around?' },
    next: {
      trigger: 'manual',
      primary: button('Take the tour', { type: 'redirect', target: '/tour' }),
      options: [button('Not now', HOME)],
    },
  },
  'finish-equal': {
    message: { level: 'info', text: 'Where do you want to go?' },
    next: {
      trigger: 'manual',
      options: [button('Approvals', HOME), button('Invitations', HOME), button('Profile', HOME)],
    },
  },
}

const LOOKS = [
  ['dark', colorProblems],
  ['light', accessibilityProblems],
] as const
const WIDE = { width: 900, height: 600 }
const PHONE = { width: 360, height: 600 }

describeInBrowser('the screen at the end of a workflow', () => {
  it.each(Object.entries(STATES))(
    'gives axe nothing to complain about, and fits a phone: %s',
    async (name, end) => {
      const page = await openFinish(end, { viewport: WIDE })
      await page.locator('.finish').waitFor()
      await page.clock.runFor(20_000)
      // axe takes its own time.
      await page.clock.resume()
      for (const [colorScheme, problems] of LOOKS) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(WIDE)
        await screenshot(page, `${name}-${colorScheme}`)
        expect(await problems(page), colorScheme).toEqual([])
        await page.setViewportSize(PHONE)
        await screenshot(page, `${name}-${colorScheme}-phone`)
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(await accessibilityProblems(page), 'phone').toEqual([])
    },
  )
})
