import { describe, expect, it } from 'vitest'
import { LoginForm } from '../fixtures/schemas/login-form.as'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'
import { errorsOf } from '../support/atscript'

describe('annotations, read from a compiled schema', () => {
  it('of a row are there with their values', () => {
    const { inviteEmail, id } = Object.fromEntries(WfStateRow.type.props)
    expect(WfStateRow.metadata.get('db.table')).toBe('wf_states')
    expect(Object.fromEntries(inviteEmail?.metadata ?? [])).toEqual({
      'meta.label': 'Invite Email',
      'wf.store.fromContext': 'email',
      'db.index.plain': [{ name: 'email_idx' }],
      'ui.form.grid.colSpan': 'half',
    })
    expect(Object.fromEntries(id?.metadata ?? [])).toEqual({
      'meta.id': true,
      'ui.table.hidden': true,
      'db.default.uuid': true,
    })
  })

  it('of a form are there with their values', () => {
    const { email, password, device, forgot, draft } = Object.fromEntries(LoginForm.type.props)
    expect(LoginForm.metadata.get('wf.context.pass')).toEqual(['tenant', 'attempts'])
    expect(LoginForm.metadata.get('ui.form.submit.text')).toBe('Sign in')
    expect(email?.metadata.get('ui.form.order')).toBe(10)
    expect(email?.metadata.get('ui.form.placeholder')).toBe('ada@example.com')
    expect(password?.metadata.get('ui.form.type')).toBe('password')
    expect(password?.metadata.get('ui.form.hint')).toBe('At least twelve characters.')
    expect(password?.metadata.get('ui.form.autocomplete')).toBe('current-password')
    expect(device?.metadata.get('ui.form.hidden')).toBe(true)
    expect(device?.metadata.get('ui.form.disabled')).toBe(true)
    expect(forgot?.metadata.get('ui.form.action')).toEqual({ id: 'forgot', label: 'I forgot it' })
    expect(draft?.metadata.get('wf.action.withData')).toEqual({
      id: 'draft',
      label: 'Save for later',
    })
  })
})

describe('an annotation that nobody registered', () => {
  it.each(['@wf.store.fromcontext', '@db.column', '@ui.form.colour'])(
    '%s is an error',
    async annotation => {
      expect(
        await errorsOf(`export interface X {\n    ${annotation} 'x'\n    field: string\n}`),
      ).toEqual([`Unknown annotation "${annotation}"`])
    },
  )
})

describe('the annotations of a form', () => {
  const formWith = (annotation: string) =>
    errorsOf(`${annotation}\nexport interface Form {\n    field: string\n}`)

  it.each([
    [`@wf.context.pass 'errors'`, /give the key of the context another name/u],
    [`@wf.context.pass 'formMessage'`, /give the key of the context another name/u],
    [`@wf.context.pass ''`, /name a key/u],
    [`@ui.form.action ''`, /name the action/u],
    [`@wf.action.withData ' '`, /name the action/u],
  ])('refuse %s', async (annotation, message) => {
    expect(await formWith(annotation)).toEqual([expect.stringMatching(message)])
  })
})
