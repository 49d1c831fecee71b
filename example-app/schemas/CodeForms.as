@meta.label 'One more step'
@meta.description 'Enter the code that your authenticator app shows.'
@wf.context.pass 'account'
@wf.context.pass 'by'
@wf.context.pass 'triesLeft'
@wf.context.pass 'demoAccount'
@ui.form.submit.text 'Continue'
export interface AppCodeForm {
    @meta.label 'Code'
    @meta.sensitive
    @ui.form.type 'code'
    @ui.form.autocomplete 'one-time-code'
    @expect.pattern '^[0-9]{6}$', 'u', 'A code has six digits.'
    code: string

    @ui.form.action 'mail', 'Send me a code by mail'
    mail: ui.action

    @ui.form.action 'recovery', 'Use a recovery code'
    recovery: ui.action
}

@meta.label 'Check your mail'
@meta.description 'We have sent a code to the address of your account. It works for ten minutes.'
@wf.context.pass 'account'
@wf.context.pass 'by'
@wf.context.pass 'triesLeft'
@wf.context.pass 'demoAccount'
@wf.context.pass 'notice'
@wf.context.pass 'resendAt'
@ui.form.submit.text 'Continue'
export interface MailedCodeForm {
    @meta.label 'Code'
    @meta.sensitive
    @ui.form.type 'code'
    @ui.form.autocomplete 'one-time-code'
    @expect.pattern '^[0-9]{6}$', 'u', 'A code has six digits.'
    code: string

    @ui.form.action 'mail', 'Send it again'
    mail: ui.action

    @ui.form.action 'app', 'Use the authenticator app'
    app: ui.action

    @ui.form.action 'recovery', 'Use a recovery code'
    recovery: ui.action
}

@meta.label 'Recovery code'
@meta.description 'Enter one of the codes that you have put away. Each works once.'
@wf.context.pass 'account'
@wf.context.pass 'by'
@wf.context.pass 'triesLeft'
@wf.context.pass 'demoAccount'
@ui.form.submit.text 'Continue'
export interface RecoveryCodeForm {
    @meta.label 'Recovery code'
    @meta.sensitive
    @meta.required
    @ui.form.autocomplete 'off'
    @expect.maxLength 50
    code: string

    @ui.form.action 'app', 'Use the authenticator app'
    app: ui.action

    @ui.form.action 'mail', 'Send me a code by mail'
    mail: ui.action
}
