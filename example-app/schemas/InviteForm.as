@meta.label 'Invite someone'
@meta.description 'They get a mail with a link that works for three days.'
@ui.form.submit.text 'Send the invitation'
export interface InviteForm {
    @meta.label 'E-mail'
    @expect.maxLength 200
    @expect.pattern '^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$', 'u', 'Please enter a plain e-mail address.'
    @ui.form.autocomplete 'off'
    @ui.form.order 10
    email: string.email

    @meta.label 'Role'
    @ui.form.order 20
    role: 'admin' | 'manager' | 'member'
}
