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

@meta.label 'Welcome'
@meta.description 'Choose a name and a password, and you are in.'
@wf.context.pass 'invite'
@ui.form.submit.text 'Create my account'
export interface AcceptForm {
    @meta.label 'Name'
    @meta.required
    @expect.maxLength 100
    @ui.form.autocomplete 'name'
    @ui.form.order 10
    name: string

    @meta.label 'Password'
    @meta.sensitive
    @expect.minLength 12, 'At least 12 characters, please.'
    @expect.maxLength 200
    @ui.form.type 'password'
    @ui.form.hint 'At least 12 characters.'
    @ui.form.autocomplete 'new-password'
    @ui.form.order 20
    password: string
}
