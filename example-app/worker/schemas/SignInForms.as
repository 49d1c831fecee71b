@meta.label 'Sign in'
@ui.form.submit.text 'Continue'
export interface AddressForm {
    @meta.label 'E-mail'
    @meta.required
    @expect.maxLength 200
    @ui.form.autocomplete 'username'
    email: string
}

@meta.label 'Your password'
@wf.context.pass 'email'
@ui.form.submit.text 'Sign in'
export interface PasswordForm {
    @meta.label 'Password'
    @meta.sensitive
    @meta.required
    @expect.maxLength 200
    @ui.form.type 'password'
    @ui.form.autocomplete 'current-password'
    password: string
}
