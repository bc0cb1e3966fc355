import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Letters
import StoreHTTP

extension Console {
    /// What customers are written.
    var mailboxPages: [Endpoint<StoreSite>] { [mailbox, mail, mailSheet, mailMessage] }

    private var mailbox: Endpoint<StoreSite> {
        page("mailbox", "mailbox") { visit in
            typealias Words = ConsoleWords.Mailbox
            let (account, about) = (visit.asked("account"), visit.asked("subscription"))
            let (kind, state) = (visit.asked("kind"), visit.asked("state"))
            let path = StorePath("connect", "v1", "mailbox").with("account", account)
                .with("originalTransactionId", about).with("kind", kind).with("state", state)
            let list = try await FilteredList(
                visit,
                path.with("before", visit.asked("before")).with("limit", String(Visit.pageSize)))
            let conditions = [
                list.field("account", Words.customer, refusedBy: "unknownAccount"),
                list.field("kind", Words.kind, .choice(Words.kinds)),
                list.field("state", Words.state, .choice(Words.states)),
            ]
            var page = try list.page(
                Words.title, lead: Words.lead, to: ConsolePath.mailbox, conditions,
                hidden: about.map { [.init("subscription", $0)] } ?? []
            ) { answer in
                let mails = try answer.list("mails")
                let here = StorePath("console", "mailbox").with("account", account)
                    .with("subscription", about).with("kind", kind).with("state", state)
                return [
                    try visit.mailTable(
                        mails, none: Words.none(answer.optionalText("emptyBecause")),
                        more: visit.more(answer, to: here, "before", mails.last?.text("id")))
                ]
            }
            if let about { page.lead = Words.aboutSubscription(about) }
            let options = [("--account", account), ("--kind", kind), ("--state", state)]
            page.blocks.append(
                visit.same(
                    SameCall(
                        Words.title, .get, path,
                        command: about != nil
                            ? nil
                            : ["mailbox"]
                                + options.flatMap { name, value in value.map { [name, $0] } ?? [] }
                    )))
            return page
        }
    }

    /// One mail, as its reader has it, and what became of it.
    private var mail: Endpoint<StoreSite> {
        page("mailbox/{id}", "mail") { visit in
            typealias Words = ConsoleWords.Mailbox
            let path = StorePath("connect", "v1", "mailbox", try visit.part("id"))
            let mail = try MailView(visit, await visit.desk.get(path))
            var page = Page(
                try mail.title, badge: try mail.state,
                trail: [PageLink(Words.title, ConsolePath.mailbox)], try await mail.blocks)
            page.isFraming = true
            return page
        }
    }

    /// A mail's HTML by itself, for the frame on its page.
    private var mailSheet: Endpoint<StoreSite> {
        document("mailbox/{id}/sheet", "mailSheet") { visit in
            let path = StorePath("connect", "v1", "mailbox", try visit.part("id"))
            guard let html = try await visit.desk.get(path).value["html"]?.string else {
                throw ErrorBody.unknownPage
            }
            return .framed(html: html)
        }
    }

    /// A mail as the file that mail programs open.
    private var mailMessage: Endpoint<StoreSite> {
        document("mailbox/{id}/message.eml", "mailMessage") { visit in
            let id = try visit.part("id")
            let message = try await visit.desk.file(
                StorePath("connect", "v1", "mailbox", id, "message.eml"))
            guard let number = Int64(id) else { throw ErrorBody.unknownPage }
            return .file(message, "message/rfc822", name: "mail-\(number).eml")
        }
    }
}

extension Visit {
    /// How a mail stands.
    func mailStateCell(_ mail: Answer) throws -> Cell {
        typealias Words = ConsoleWords.Mailbox
        let state = try mail.text("state")
        let tone: Tone =
            switch state {
            case "delivered": .good
            case "waiting": .attention
            case "refused", "givenUp": .bad
            default: .plain
            }
        let detail =
            mail.optionalText("reason").map(ConsoleWords.happening)
            ?? mail.optionalMoment("nextAttempt").map { Words.next(locale.moment($0)) }
        return .badge(Words.state(state), tone, detail: detail)
    }

    /// Mails, each with what became of it.
    ///
    /// - Parameter none: what is said where there are none.
    func mailTable(
        _ mails: [Answer], none: String, more: PageLink? = nil
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Mailbox
        return DataTable(
            Words.title,
            columns: [Words.created, Words.subject, Words.customer, Words.state, Words.attempts],
            rows: try mails.map { mail in
                let account = try mail.text("account")
                let attempts = try mail.list("attempts")
                return DataTable.Row([
                    momentCell(mail, "created"),
                    Cell(
                        PageLink(
                            try MailView.subject(of: mail), ConsolePath.mail(try mail.text("id"))),
                        detail: ConsoleWords.happening(try mail.text("kind"))),
                    Cell(
                        PageLink(account, ConsolePath.customer(account)),
                        detail: mail.optionalText("to").flatMap { $0 == account ? nil : $0 }),
                    try mailStateCell(mail),
                    Cell(
                        attempts.isEmpty ? "" : locale.number(attempts.count),
                        detail: attempts.last?.optionalText("reply")),
                ])
            }, empty: none, more: more)
    }
}
