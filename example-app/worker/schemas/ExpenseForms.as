@meta.label 'An expense'
@meta.description 'A manager gets a mail and decides.'
@ui.form.submit.text 'Submit'
export interface ExpenseForm {
    @meta.label 'Amount'
    @expect.min 0.01, 'More than nothing, please.'
    @expect.max 1000000
    @ui.form.order 10
    amount: number

    @meta.label 'What was it for?'
    @meta.required
    @expect.maxLength 500
    @ui.form.type 'textarea'
    @ui.form.order 20
    reason: string
}

@meta.label 'Your decision'
@wf.context.pass 'applicant'
@wf.context.pass 'amount'
@wf.context.pass 'reason'
@ui.form.submit.text 'Approve'
export interface DecisionForm {
    @meta.label 'Comment'
    @expect.maxLength 500
    @ui.form.type 'textarea'
    comment?: string

    @wf.action.withData 'reject', 'Reject'
    reject: ui.action
}
