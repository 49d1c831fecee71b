@meta.label 'Forgot your password?'
@meta.description 'We send you a link to set a new one. It works for an hour.'
@ui.form.submit.text 'Send me a link'
export interface RecoverForm {
    @meta.label 'E-mail'
    @expect.maxLength 200
    @expect.pattern '^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$', 'u', 'Please enter a plain e-mail address.'
    @ui.form.autocomplete 'username'
    email: string.email
}

@meta.label 'A new password'
@ui.form.submit.text 'Save the password'
export interface NewPasswordForm {
    @meta.label 'New password'
    @meta.sensitive
    @expect.minLength 12, 'At least 12 characters, please.'
    @expect.maxLength 200
    @ui.form.type 'password'
    @ui.form.hint 'At least 12 characters.'
    @ui.form.autocomplete 'new-password'
    password: string
}
