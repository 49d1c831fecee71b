@meta.label 'An expense'
@meta.description 'A manager gets a mail and decides. Over 1,000, two of three people must approve.'
@ui.form.submit.text 'Submit'
export interface ExpenseForm {
    @meta.label 'Amount'
    @expect.min 0.01, 'More than nothing, please.'
    @expect.max 1000000
    @ui.form.order 10
    @ui.form.grid.colSpan 'two-thirds'
    amount: number

    @meta.label 'Currency'
    @meta.default 'EUR'
    @ui.form.type 'select'
    @ui.form.order 15
    @ui.form.grid.colSpan 'third'
    currency: 'EUR' | 'USD' | 'GBP' | 'CHF'

    @meta.label 'What was it for?'
    @meta.required
    @expect.maxLength 500
    @ui.form.type 'textarea'
    @ui.form.order 20
    reason: string
}

// What is sent without a button named decides nothing: it asks, and that takes a comment.
@meta.label 'Your decision'
@wf.context.pass 'amount'
@wf.context.pass 'currency'
@wf.context.pass 'reason'
@wf.context.pass 'applicant'
@wf.context.pass 'history'
@ui.form.submit.text 'Ask the applicant'
export interface DecisionForm {
    @meta.label 'Comment'
    @ui.form.hint 'What you want to know, if you ask.'
    @expect.maxLength 500
    @ui.form.type 'textarea'
    @ui.form.order 10
    comment?: string

    @meta.label 'Delegate to'
    @ui.form.hint 'The address of a colleague, if you would rather let somebody else decide.'
    @expect.maxLength 200
    @ui.form.type 'email'
    @ui.form.autocomplete 'off'
    @ui.form.order 20
    delegateTo?: string

    @wf.action.withData 'approve', 'Approve'
    approve: ui.action

    @wf.action.withData 'reject', 'Reject'
    reject: ui.action

    @wf.action.withData 'delegate', 'Delegate'
    delegate: ui.action
}

@meta.label 'A question about your expense'
@wf.context.pass 'amount'
@wf.context.pass 'currency'
@wf.context.pass 'reason'
@wf.context.pass 'history'
@ui.form.submit.text 'Answer'
export interface AnswerForm {
    @meta.label 'Your answer'
    @meta.required
    @expect.maxLength 500
    @ui.form.type 'textarea'
    comment: string
}
