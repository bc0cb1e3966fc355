import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP
import SubscriptionRules

extension Account {
    /// What the store wrote to the customer about the app. Looking at it counts for nothing.
    var mailboxPages: [Endpoint<StoreSite>] {
        [
            page("mailbox", "mailbox") { visit in try await visit.mailboxPage() },
            page("mailbox/{id}", "mail") { visit in try await visit.mailPage() },
            endpoint(.get, "mailbox/{id}/sheet", "mailSheet") { call in
                guard let visit = try await Visit(call, pages: self) else {
                    return .seeOther(AccountPath.signIn(returningTo: nil))
                }
                return try await visit.answering {
                    guard let html = try await visit.ownMail().value["html"]?.string else {
                        throw ErrorBody.unknownPage
                    }
                    return .framed(html: html)
                }
            },
        ]
    }
}

extension Visit {
    private static let mailsPerPage = "50"

    fileprivate func mailboxPage() async throws -> Page {
        let answer = try await desk.get(
            StorePath("connect", "v1", "mailbox").with("account", customer.account)
                .with("limit", Self.mailsPerPage).with("before", asked("before")))
        let all = try answer.list("mails")
        // The session is one app's, the mailbox the account's.
        let own = all.filter { $0.optionalText("bundleId") == session.bundleID }
        var more: PageLink?
        if let last = try all.last?.text("id"), try answer.bool("hasMore") {
            more = PageLink(
                words.olderMails, StorePath("account", "mailbox").with("before", last).text)
        }
        return Page(
            words.mailbox,
            [
                DataTable(
                    words.mailbox, columns: [words.date, words.message],
                    rows: try own.map { mail in
                        DataTable.Row([
                            dayCell(try mail.moment("created")),
                            Cell(
                                PageLink(
                                    try subject(of: mail),
                                    AccountPath.below("mailbox", try mail.text("id")))),
                        ])
                    }, empty: words.noMails, more: more),
                LinkList([PageLink(words.optIns, AccountPath.optIns)]),
            ])
    }

    /// A mail to this customer about this app.
    ///
    /// - Throws: an `ErrorBody` for anybody else's.
    fileprivate func ownMail() async throws -> Answer {
        let mail = try await desk.get(StorePath("connect", "v1", "mailbox", try part("id")))
        guard mail.optionalText("account") == customer.account,
            mail.optionalText("bundleId") == session.bundleID
        else { throw ErrorBody.unknownPage }
        return mail
    }

    fileprivate func mailPage() async throws -> Page {
        let mail: Answer
        do {
            mail = try await ownMail()
        } catch let refusal as Refusal where refusal.status == .notFound {
            throw ErrorBody.unknownPage
        }
        let title = try subject(of: mail)
        let id = try mail.text("id")
        var blocks: [any PageBlock] = [
            Facts([
                (words.date, dayCell(try mail.moment("created"))),
                (words.sentTo, mail.optionalText("to").map { Cell($0) }),
            ])
        ]
        if let way = try way(from: mail) { blocks.append(LinkList([way])) }
        let isHTML = mail.value["html"]?.string?.isEmpty == false
        if isHTML {
            blocks.append(
                FramedDocument(title, source: AccountPath.below("mailbox", id, "sheet")))
        }
        if let text = mail.value["text"]?.string, !text.isEmpty {
            blocks.append(CodeText(words.asText, text, isOpen: !isHTML))
        }
        var page = Page(
            title, trail: [PageLink(words.mailbox, AccountPath.mailbox)], blocks)
        page.isFraming = isHTML
        return page
    }

    /// Where what a mail speaks of can be answered: the frame that shows it leads nowhere.
    private func way(from mail: Answer) throws -> PageLink? {
        let subscription = mail.optionalText("originalTransactionId")
        switch try mail.text("kind") {
        case "priceIncreaseConsent", "priceIncreaseNotice", "koreanConversion":
            return subscription.map {
                PageLink(words.reviewIncrease, AccountPath.subscription($0, "price"))
            }
        case "refundDecision": return PageLink(words.purchases, AccountPath.purchases)
        case "receipt" where subscription == nil:
            return PageLink(words.purchases, AccountPath.purchases)
        case "sharing": return PageLink(words.family, AccountPath.family)
        default:
            return subscription.map { PageLink(words.manage, AccountPath.subscription($0)) }
        }
    }

    /// The subject without the marks that keep its parts in order, which a page does by itself.
    private func subject(of mail: Answer) throws -> String {
        var plain = String.UnicodeScalarView()
        plain.append(
            contentsOf: (mail.value["subject"]?.string ?? "").unicodeScalars.filter {
                !(0x2066...0x2069).contains($0.value)
            })
        let line = Answer(
            value: .object(["subject": .string(String(plain))]), source: mail.source)
        let subject = try line.text("subject")
        return subject.isEmpty ? words.message : subject
    }
}
