@meta.label 'Sign in'
@ui.form.submit.text 'Sign in'
export interface SignInForm {
    @meta.label 'E-mail'
    @meta.required
    @expect.maxLength 200
    @ui.form.autocomplete 'username'
    @ui.form.order 10
    email: string

    @meta.label 'Password'
    @meta.sensitive
    @meta.required
    @expect.maxLength 200
    @ui.form.type 'password'
    @ui.form.autocomplete 'current-password'
    @ui.form.order 20
    password: string
}
