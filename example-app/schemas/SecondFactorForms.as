@meta.label 'Secure your account'
@meta.description 'Add a second factor: a code from an app on your phone, beside the password.'
@ui.form.submit.text 'Continue'
export interface BeginSecondFactorForm {
    @meta.label 'Your password'
    @meta.sensitive
    @meta.required
    @expect.maxLength 200
    @ui.form.type 'password'
    @ui.form.hint 'To be sure that it is you.'
    @ui.form.autocomplete 'current-password'
    password: string
}

@meta.label 'Add it to your app'
@meta.description 'Type the key into your authenticator app, then enter the code that it shows.'
@wf.context.pass 'secret'
@wf.context.pass 'uri'
@ui.form.submit.text 'Turn it on'
export interface ConfirmSecondFactorForm {
    @meta.label 'Code'
    @meta.sensitive
    @ui.form.type 'code'
    @ui.form.autocomplete 'one-time-code'
    @expect.pattern '^[0-9]{6}$', 'u', 'A code has six digits.'
    code: string
}
