@meta.label 'An expense'
@meta.description 'A manager gets a mail and decides. Over 1,000, a second one is asked as well.'
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

// What is sent without a button named decides nothing: it asks, and that takes a comment.
@meta.label 'Your decision'
@wf.context.pass 'amount'
@wf.context.pass 'reason'
@wf.context.pass 'applicant'
@wf.context.pass 'approver'
@wf.context.pass 'history'
@ui.form.submit.text 'Ask the applicant'
export interface DecisionForm {
    @meta.label 'Comment'
    @ui.form.hint 'What you want to know, if you ask.'
    @expect.maxLength 500
    @ui.form.type 'textarea'
    comment?: string

    @wf.action.withData 'approve', 'Approve'
    approve: ui.action

    @wf.action.withData 'reject', 'Reject'
    reject: ui.action
}

@meta.label 'A question about your expense'
@wf.context.pass 'amount'
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
