@meta.label 'News for everybody'
@meta.description 'A mail to each account, one after the other, by the queue.'
@ui.form.submit.text 'Send it'
export interface NewsForm {
    @meta.label 'Subject'
    @meta.required
    @expect.maxLength 150
    @ui.form.order 10
    subject: string

    @meta.label 'Text'
    @meta.required
    @expect.maxLength 5000
    @ui.form.type 'textarea'
    @ui.form.order 20
    text: string
}
