import { HandleStateStrategy, WfLedgerMemory, WfStateStoreMemory } from '@atscript/moost-wf'
import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { DecisionForm as ChangedForm } from '../fixtures/schemas/next/decision-form.as'
import { EveryKindForm } from '../fixtures/schemas/every-kind-form.as'
import { type Approvals, openApprovals } from '../support/approval-app'
import { type Answer, request } from '../support/shop'

const HTML = { accept: 'text/html,application/xhtml+xml' }
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' }
const PAGES = { confirmPage: {} }

const open = (app: Approvals, wfs: string, headers = {}) => app.look(wfs, { ...HTML, ...headers })

/** What the forms of a page post without anyone doing anything. */
function fieldsOf({ text }: Answer): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/gu)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!]))
}

const press = (app: Approvals, page: Answer, typed: Record<string, string> = {}, headers = {}) =>
  request(app.url, undefined, {
    rawBody: new URLSearchParams({ ...fieldsOf(page), ...typed }).toString(),
    headers: { ...FORM, ...headers },
  })

const titleOf = ({ text }: Answer) => /<title>(.*)<\/title>/u.exec(text)?.[1]
const headingOf = ({ text }: Answer) => /<h1>(.*)<\/h1>/u.exec(text)?.[1]
const APPROVE = { 'input.decision': 'approve' }

describe('the page of a link that names its form', () => {
  it('shows a scanner nothing of the context, and a person who presses a button all of it', async () => {
    const app = await openApprovals({ config: PAGES })
    const looked = await open(app, await app.ask())
    expect(looked.status).toBe(200)
    expect(looked.text).not.toContain('the sea')
    expect(looked.text).not.toContain('Decision')
    const shown = await press(app, looked)
    expect(headingOf(shown)).toBe('Your decision')
    expect(shown.text).toContain('the sea')
    expect(shown.text).not.toContain('never shown')
    expect(app.ran).toEqual([])
    const done = await press(app, shown, APPROVE)
    expect([done.status, headingOf(done)]).toEqual([200, 'Done. You can close this page.'])
  })

  it('shows the form at once where a look may see all of it', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    expect(headingOf(shown)).toBe('Your decision')
    expect(shown.text).toContain('the sea')
    expect(headingOf(await press(app, shown, APPROVE))).toBe('Done. You can close this page.')
  })

  it('says what is wrong, keeps what was typed, and leaves the link as it was', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    const typed = { 'input.comment': '"><script>x</script>, much too long' }
    const wrong = await press(app, shown, typed)
    expect(titleOf(wrong)).toBe('Error: Your decision')
    expect(wrong.text).toContain('href="#field-0-0">Decision: Please choose one.')
    expect(wrong.text).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;, much too long"')
    expect(wrong.text).not.toContain('<script')
    expect(wrong.text).toContain('aria-invalid="true"')
    expect(app.ran).toEqual([])
    const right = { ...APPROVE, 'input.comment': 'yes' }
    expect(headingOf(await press(app, wrong, right))).toBe('Done. You can close this page.')
  })

  it('lets the step ask again', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    const again = await press(app, shown, { ...APPROVE, 'input.comment': 'hm' })
    expect(titleOf(again)).toBe('Error: Your decision')
    expect(again.text).toContain('Comment: Say more.')
    expect(again.text).toMatch(/value="approve"\s+checked/u)
    expect(headingOf(await press(app, again, APPROVE))).toBe('Done. You can close this page.')
  })

  it('has the buttons of the form', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    expect(shown.text).toContain(
      '<button class="other" name="action" value="later">Not now</button>',
    )
    const later = await press(app, shown, {
      'input.comment': 'typed and not sent',
      action: 'later',
    })
    expect(headingOf(later)).toBe('Done. You can close this page.')
  })

  it('gives the same answer to the same form, and says so', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    const both = await Promise.all([press(app, shown, APPROVE), press(app, shown, APPROVE)])
    expect(both.map(headingOf)).toEqual(Array(2).fill('Done. You can close this page.'))
    const reloaded = await press(app, shown, APPROVE)
    expect(reloaded.text).toContain('We had received this already. Nothing was done twice.')
    expect(app.ran.filter(step => step === 'decide')).toHaveLength(1)
    const other = await press(app, shown, { 'input.decision': 'reject' })
    expect(other.status).toBe(422)
    expect(other.headers.get('content-type')).toContain('text/html')
  })

  it('tells whoever comes late, who has answered and nothing to start again', async () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 18, 9))
    const link = { showContext: true, usedNote: 'Ada' }
    const app = await openApprovals({ config: { ...PAGES, clock }, link })
    const wfs = await app.ask()
    const [one, two] = [await open(app, wfs), await open(app, wfs)]
    await press(app, one, APPROVE)
    for (const late of [await press(app, two, APPROVE), await open(app, wfs)]) {
      expect(late.status).toBe(410)
      expect(headingOf(late)).toContain('answered already by Ada, Wed, 18 Nov 2026')
      expect(late.text).not.toContain('<button')
    }
  })

  it('offers to start again when the link has expired', async () => {
    const clock = new FakeClock(0)
    const store = new WfStateStoreMemory({ clock })
    const state = new HandleStateStrategy({ store, clock, defaultTtl: 1000 })
    const app = await openApprovals({
      config: { ...PAGES, state, clock, ledger: new WfLedgerMemory({ clock }) },
      link: { showContext: true, fresh: false },
    })
    const shown = await open(app, await app.ask())
    clock.advance(1001)
    const late = await press(app, shown, APPROVE)
    expect(late.status).toBe(410)
    expect(late.text).toContain('<button>Start again</button>')
    const again = await press(app, late)
    expect([again.status, headingOf(again)]).toEqual([200, 'A message is on its way.'])
    expect(app.mails).toHaveLength(2)
  })

  it('says in which browser a link is to be opened', async () => {
    const app = await openApprovals({ config: PAGES, link: { link: 'sameBrowser' } })
    const refused = await open(app, await app.ask())
    expect(refused.status).toBe(403)
    expect(headingOf(refused)).toContain('in the browser in which you asked for it')
  })

  it('asks the guards first', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const wfs = await app.ask()
    const headers = { 'x-user': 'mallory' }
    const shown = await open(app, wfs)
    for (const page of [await open(app, wfs, headers), await press(app, shown, APPROVE, headers)]) {
      expect([page.status, headingOf(page)]).toEqual([403, 'Not yours.'])
      expect(page.text).not.toContain('the sea')
    }
  })

  it('shows the form as it is after a deploy, with what was typed', async () => {
    const store = new WfStateStoreMemory()
    const config = () => ({ ...PAGES, state: new HandleStateStrategy({ store }) })
    const before = await openApprovals({ config: config(), link: { showContext: true } })
    const shown = await open(before, await before.ask())
    const after = await openApprovals({ config: config(), form: ChangedForm })
    const changed = await press(after, shown, APPROVE)
    expect(changed.text).toContain('This form has changed meanwhile.')
    expect(changed.text).toMatch(/value="approve"\s+checked/u)
    const right = { ...APPROVE, 'input.costCentre': '7' }
    expect(headingOf(await press(after, changed, right))).toBe('Done. You can close this page.')
  })

  it('never gives back what is secret', async () => {
    const app = await openApprovals({ config: PAGES, form: EveryKindForm })
    const shown = await press(app, await open(app, await app.ask()))
    const typed = { 'input.password': 'hunter2', 'input.name': 'Ada', 'input.guests': 'many' }
    const wrong = await press(app, shown, typed)
    expect(wrong.text).toContain('value="Ada"')
    expect(wrong.text).toContain('value="many"')
    expect(wrong.text).not.toContain('hunter2')
    expect(wrong.text).toContain('This page cannot ask for: Children.')
  })

  it('takes an answer in which nothing was filled in for one', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const wrong = await press(app, await open(app, await app.ask()))
    expect(titleOf(wrong)).toBe('Error: Your decision')
  })

  it('has a policy without scripts, and posts to its own site', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    const csp = shown.headers.get('content-security-policy')
    expect(csp).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/u,
    )
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const foreign = await press(app, shown, APPROVE, { origin: 'https://evil.example' })
    expect([foreign.status, app.ran]).toEqual([403, []])
  })

  it('tells a person of a body that cannot be read on a page too', async () => {
    const app = await openApprovals({ config: PAGES })
    const headers = { ...HTML, 'content-type': 'multipart/form-data; boundary=x' }
    const refused = await request(app.url, undefined, { rawBody: '--x--', headers })
    expect([refused.status, headingOf(refused)]).toEqual([415, 'Files cannot be sent here.'])
  })

  it('takes no name that reaches a prototype', async () => {
    const app = await openApprovals({ config: PAGES, link: { showContext: true } })
    const shown = await open(app, await app.ask())
    expect((await press(app, shown, { ...APPROVE, 'input.__proto__': 'x' })).status).toBe(400)
    expect(headingOf(await press(app, shown, APPROVE))).toBe('Done. You can close this page.')
  })
})

describe('a form page beside a page of the application', () => {
  it('is left out where the application says so', async () => {
    const app = await openApprovals({ config: { resumeUrl: '/accept', formPage: false } })
    const pressed = await press(app, await open(app, await app.ask()))
    expect(pressed.status).toBe(303)
    expect(pressed.headers.get('location')).toMatch(/^\/accept#wfs=/u)
  })

  it('leads there for what it cannot ask for', async () => {
    const app = await openApprovals({ config: { resumeUrl: '/accept' }, form: EveryKindForm })
    const wfs = await app.ask()
    const shown = await press(app, await open(app, wfs))
    const href = `/accept#wfs=${encodeURIComponent(wfs)}`
    expect(shown.text).toContain(`<a href="${href}">Fill in the whole form</a>`)
  })

  it('must not be left out where there is nothing else', async () => {
    const app = await openApprovals({ config: { confirmPage: {}, formPage: false } })
    expect((await app.send({ wfid: 'leave/request' })).status).toBe(500)
  })
})
