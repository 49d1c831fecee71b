import { finishWf, Step, useAtscriptWf, Workflow, WorkflowSchema } from '@atscript/moost-wf'
import { Controller } from 'moost'
import { expect, it } from 'vitest'
import { CodeForm } from '../fixtures/schemas/gallery-forms.as'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { describeInBrowser, type PageOptions } from '../support/browser'
import { openFlowPage } from './flow-page'

/** Under the name of the workflow that the page starts. */
@Controller('users')
class SignIn {
  @Workflow('invite')
  @WorkflowSchema(['login', 'code', 'recovery', 'done'])
  flow() {}

  @Step('login')
  login() {
    useAtscriptWf(LoginForm).resolveInput()
  }

  @Step('code')
  code() {
    const { resolveInput, requireInput } = useAtscriptWf(CodeForm)
    if (resolveInput().code !== '123456') requireInput({ formMessage: 'That code is wrong.' })
  }

  /** The same form as the step before. */
  @Step('recovery')
  recovery() {
    useAtscriptWf(CodeForm).resolveInput()
  }

  @Step('done')
  done() {
    finishWf({ message: 'Welcome back.' })
  }
}

const openFlow = (options?: PageOptions) => openFlowPage(SignIn, options)

describeInBrowser('a workflow in a browser', () => {
  it('goes from form to form by keyboard, shows what is wrong, and ends', async () => {
    const page = await openFlow()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.keyboard.type('ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type('correct horse')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Please check 1 field.').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('correct horse')

    // The focus is in the first field that is wrong.
    await page.keyboard.press('End')
    await page.keyboard.type('@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your phone' }).waitFor()

    await page.keyboard.type('654321')
    await page.keyboard.press('Enter')
    await page.getByText('That code is wrong.').waitFor()
    const code = page.getByLabel('Code')
    expect(await code.inputValue()).toBe('654321')
    await code.fill('123456')
    await page.keyboard.press('Enter')

    // The next step asks with the same form; the code that was taken is not in it.
    await expect.poll(() => code.inputValue()).toBe('')
    await page.keyboard.type('abcdef')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Welcome back.' }).waitFor()
  })

  it('says that the server cannot be reached, and is sent again', async () => {
    const page = await openFlow({ mayLog: /status of 503/u })
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.route('**/api/wf', route => route.fulfill({ status: 503, body: 'down' }), {
      times: 1,
    })
    await page.keyboard.press('Enter')
    await page.getByRole('alert').locator('p').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your phone' }).waitFor()
  })
})
