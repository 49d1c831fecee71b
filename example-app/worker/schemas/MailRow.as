// The inbox of the demo.
@db.table 'mails'
export interface MailRow {
    // That of the message: one that comes twice is there once.
    @meta.id
    id: string

    recipient: string
    subject: string
    text: string

    @db.index.plain 'sent_idx'
    sentAt: number.timestamp
}
