import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// What the page of a mail shows.
struct MailView {
    private let visit: Visit
    private let mail: Answer
    private let id: String

    private typealias Words = ConsoleWords.Mailbox

    init(_ visit: Visit, _ mail: Answer) throws {
        self.visit = visit
        self.mail = mail
        id = try mail.text("id")
    }

    var title: String {
        get throws { try Self.subject(of: mail) }
    }

    var state: Cell {
        get throws { try visit.mailStateCell(mail) }
    }

    var blocks: [any PageBlock] {
        get async throws {
            var blocks: [any PageBlock] = [try facts]
            if let source = try await source {
                blocks.append(
                    LinkList([
                        PageLink(
                            Words.download, ConsolePath.mail(id, "message.eml"), isFile: true)
                    ]))
                blocks += try sheets
                blocks.append(try attempts)
                blocks.append(
                    PageSection(
                        Words.headers, id: "headers", about: Words.headersAbout,
                        [CodeText(Words.headers, source)]))
            } else {
                blocks += try sheets
                blocks.append(try attempts)
            }
            let path = StorePath("connect", "v1", "mailbox", id)
            blocks.append(
                visit.same(
                    SameCall(Words.oneMail, .get, path, command: ["mailbox", id]),
                    SameCall(
                        Words.download, .get,
                        StorePath("connect", "v1", "mailbox", id, "message.eml"),
                        command: ["mailbox", id, "--eml"])))
            return blocks
        }
    }

    private var facts: Facts {
        get throws {
            let account = try mail.text("account")
            let subscription = mail.optionalText("originalTransactionId")
            return Facts([
                (Words.created, visit.momentCell(mail, "created")),
                (Words.kind, Cell(ConsoleWords.happening(try mail.text("kind")))),
                (
                    Words.channel,
                    mail.optionalText("channel").map { Cell(ConsoleWords.happening($0)) }
                ),
                (Words.customer, Cell(PageLink(account, ConsolePath.customer(account)))),
                (Words.address, Cell(mail.optionalText("to") ?? Words.noAddress)),
                (Words.language, Cell(try mail.text("language"))),
                (Words.app, Cell(try mail.text("bundleId"))),
                (
                    Words.subscription,
                    subscription.map { .code($0).linked(to: ConsolePath.subscription($0)) }
                ),
                (
                    Words.why,
                    mail.optionalText("reason").map { Cell(ConsoleWords.happening($0)) }
                ),
                (Words.nextAttempt, mail.optionalMoment("nextAttempt").map(visit.momentCell)),
            ])
        }
    }

    /// As HTML and as text, and where its links lead.
    private var sheets: [any PageBlock] {
        get throws {
            var sheets: [any PageBlock] = []
            if mail.value["html"]?.string?.isEmpty == false {
                sheets.append(
                    PageSection(
                        Words.html, id: "html", about: Words.htmlAbout,
                        [FramedDocument(try title, source: ConsolePath.mail(id, "sheet"))]))
            }
            if let text = mail.value["text"]?.string, !text.isEmpty {
                sheets.append(
                    PageSection(
                        Words.text, id: "text", [CodeText(Words.text, text, isOpen: true)]))
                let links = Self.addresses(in: text)
                if !links.isEmpty {
                    sheets.append(
                        PageSection(
                            Words.links, id: "links", about: Words.linksAbout,
                            [
                                DataTable(
                                    Words.links, columns: [Words.address],
                                    rows: links.map { DataTable.Row([.code($0)]) }, empty: "")
                            ]))
                }
            }
            return sheets
        }
    }

    private var attempts: PageSection {
        get throws {
            let attempts = try mail.list("attempts")
            let state = try mail.text("state")
            return PageSection(
                Words.attempts, id: "attempts",
                [
                    DataTable(
                        Words.attempts,
                        columns: [ConsoleWords.Clock.when, Words.outcome, Words.reply],
                        rows: try attempts.map { attempt in
                            let outcome = try attempt.text("outcome")
                            let tone: Tone =
                                outcome == "DELIVERED"
                                ? .good : outcome == "REFUSED" ? .bad : .attention
                            return DataTable.Row([
                                visit.momentCell(attempt, "at"), .badge(outcome, tone),
                                Cell(attempt.optionalText("reply") ?? ""),
                            ])
                        }, empty: Words.noAttempts(state))
                ])
        }
    }

    /// The header of the message; nil where there is no message, as in a store that writes none.
    private var source: String? {
        get async throws {
            do {
                let bytes = try await visit.desk.file(
                    StorePath("connect", "v1", "mailbox", id, "message.eml"))
                let lines = String(decoding: bytes, as: UTF8.self).split(
                    separator: "\r\n", omittingEmptySubsequences: false)
                return lines.prefix { !$0.isEmpty }.joined(separator: "\n")
            } catch let refusal as ConnectRefusal where refusal.status == .notFound {
                return nil
            }
        }
    }

    // MARK: Texts

    /// The subject without the marks that keep its parts in order, which a page does by itself; of
    /// what has none, the kind.
    static func subject(of mail: Answer) throws -> String {
        var plain = String.UnicodeScalarView()
        plain.append(
            contentsOf: (mail.value["subject"]?.string ?? "").unicodeScalars.filter {
                !(0x2066...0x2069).contains($0.value)
            })
        let line = Answer(
            value: .object(["subject": .string(String(plain))]), source: mail.source)
        let subject = try line.text("subject")
        return subject.isEmpty ? ConsoleWords.happening(try mail.text("kind")) : subject
    }

    /// The web addresses that a text has, each once, in their order.
    static func addresses(in text: String) -> [String] {
        var found: [String] = []
        for word in text.split(whereSeparator: { $0.isWhitespace }) {
            guard word.hasPrefix("https://") || word.hasPrefix("http://"),
                !found.contains(String(word))
            else { continue }
            found.append(String(word))
        }
        return found
    }
}
