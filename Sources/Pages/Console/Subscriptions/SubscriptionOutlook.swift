import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Journal
import StoreHTTP
import SubscriptionRules
import Timeline

/// What a subscription will be charged next, what is going to change, and the requests made for
/// it.
struct SubscriptionOutlook {
    let visit: Visit
    let id: String

    private typealias Words = ConsoleWords.Outlook

    /// So many requests are on the subscription's own page.
    private static let listed = 20
    /// So many changes of one request are named.
    private static let named = 8

    private func path(_ rest: String) -> StorePath {
        StorePath("connect", "v1", "subscriptions", id, rest)
    }

    /// The calls and command lines by which the same is had.
    var calls: [SameCall] {
        [
            SameCall(
                Words.billTitle, .get, path("next-bill"),
                command: ["subscription", "next-bill", id]),
            SameCall(
                Words.changesTitle, .get, path("pending-changes"),
                command: ["subscription", "next-bill", id]),
        ]
    }

    /// The call and the command line for the requests.
    var requestsCall: SameCall {
        SameCall(
            Words.requestsTitle, .get, path("requests"), command: ["ac", "requests", id])
    }

    // MARK: The next bill

    /// Nil for what is over.
    var bill: PageSection? {
        get async throws {
            let bill = try await visit.desk.get(path("next-bill"))
            let outcome = try bill.text("outcome")
            guard outcome != "over" else { return nil }
            var blocks: [any PageBlock] = [try facts(of: bill, outcome)]
            if outcome != "end" { blocks.append(try lines(of: bill)) }
            return PageSection(
                Words.billTitle, id: "next-bill", about: Words.billAbout, blocks)
        }
    }

    private func facts(of bill: Answer, _ outcome: String) throws -> Facts {
        let at = bill.optionalMoment("at")
        let isEnd = outcome == "end"
        let why =
            isEnd
            ? Words.why(bill.optionalInteger("expirationIntent"))
            : bill.optionalText("purpose").map(Words.purpose)
        let label = isEnd ? Words.ends : outcome == "pending" ? Words.made : Words.charged
        let currency = bill.optionalText("currency") ?? ""
        func amount(_ member: String) -> Cell? {
            bill.optionalInteger(member).map { Cell(visit.locale.amount($0, currency)) }
        }
        return Facts([
            (label, at.map { .moment($0, visit.locale.moment($0), detail: why) }),
            (Words.sum, amount("amount")),
            (Words.forPeriod, period(of: bill).map { Cell($0) }),
            (Words.month, bill.optionalInteger("commitmentMonth").map { Cell(Words.monthOf($0)) }),
            (Words.givenBack, amount("credit")),
            (Words.bill, bill.optionalText("billId").map { .code($0) }),
        ])
    }

    private func period(of bill: Answer) -> String? {
        guard let start = bill.optionalMoment("periodStart"),
            let end = bill.optionalMoment("periodEnd")
        else { return nil }
        return "\(visit.locale.moment(start)) – \(visit.locale.moment(end))"
    }

    private func lines(of bill: Answer) throws -> DataTable {
        let currency = try bill.text("currency")
        let lines = try bill.list("lines")
        // Of very many the SKU says enough.
        let isNamed = lines.count <= 20
        let more = lines.count - Self.mostLines
        return DataTable(
            Words.billTitle, columns: [Words.line, Words.price, Words.amount],
            rows: try lines.prefix(Self.mostLines).map { line in
                let offer = line.optionalText("offerMode").map {
                    Words.offer($0, left: line.optionalInteger("offerPeriodsLeft"))
                }
                let before = line.optionalInteger("formerPrice").map {
                    Words.before(visit.locale.amount($0, currency))
                }
                return DataTable.Row([
                    Cell(
                        try line.text("sku"),
                        detail: isNamed ? line.optionalText("displayName") : nil),
                    .number(
                        visit.locale.amount(try line.integer("price"), currency), detail: before),
                    .number(
                        visit.locale.amount(try line.integer("amount"), currency), detail: offer),
                ])
            }
                + (more > 0
                    ? [DataTable.Row([Cell(Words.moreLines(more)), Cell(""), Cell("")])] : []),
            empty: Words.noLines)
    }

    /// How many lines of a bill a page has.
    private static let mostLines = 40

    // MARK: What is going to change

    var changes: PageSection {
        get async throws {
            let answer = try await visit.desk.get(path("pending-changes"))
            let currency = try answer.text("currency")
            let all = try answer.list("changes").compactMap { Alteration($0.harmless) }
            return PageSection(
                Words.changesTitle, id: "changes",
                about: all.isEmpty ? nil : Words.changesAbout,
                [
                    DataTable(
                        Words.changesTitle, columns: [Words.from, Words.change, Words.standing],
                        rows: all.map { row($0, currency) }, empty: Words.noChanges)
                ])
        }
    }

    private func row(_ change: Alteration, _ currency: String) -> DataTable.Row {
        let parts =
            [change.announcement.map { Words.announced(visit.locale.moment($0)) }]
            + [change.dependents.isEmpty ? nil : Words.dependents(change.dependents)]
        let detail = parts.compactMap(\.self).joined(separator: " · ")
        var plain = change
        plain.status = nil
        return DataTable.Row([
            change.from.map(visit.momentCell) ?? Cell(Words.notPlanned),
            Cell(
                plain.words(visit.locale.figures, currency),
                detail: change.kind == .renamed ? nil : change.displayName),
            Cell(change.standing ?? "", detail: detail.isEmpty ? nil : detail),
        ])
    }

    // MARK: Requests

    /// The first ones, and where the others are; nil where none was made.
    var requests: PageSection? {
        get async throws {
            let answer = try await visit.desk.get(
                path("requests").with("limit", String(Self.listed)))
            guard try !answer.list("requests").isEmpty else { return nil }
            return PageSection(
                Words.requestsTitle, id: "requests", about: Words.requestsAbout,
                [try table(of: answer)])
        }
    }

    /// A page of them.
    var requestsPage: Page {
        get async throws {
            let answer = try await visit.desk.get(
                path("requests").with("after", visit.asked("after")))
            return Page(
                Words.requestsTitle, lead: Words.requestsAbout,
                trail: [
                    PageLink(ConsoleWords.Customers.title, ConsolePath.customers),
                    PageLink(id, ConsolePath.subscription(id)),
                ],
                [try table(of: answer), visit.same(requestsCall)])
        }
    }

    private func table(of answer: Answer) throws -> DataTable {
        let all = try answer.list("requests")
        return DataTable(
            Words.requestsTitle,
            columns: [Words.when, Words.operation, Words.did, Words.money, Words.outcome],
            rows: try all.map(row), empty: Words.noRequests,
            more: try visit.more(
                answer, to: StorePath("console", "subscriptions", id, "requests"), "after",
                all.last?.text("sequence")))
    }

    private func row(_ request: Answer) throws -> DataTable.Row {
        let currency = request.optionalText("currency") ?? ""
        let changes = try request.list("changes").compactMap { Alteration($0.harmless) }
            .filter { $0.kind != .paid && $0.kind != .refunded }
            .map { $0.sentence(visit.locale.figures, currency) }
        let more = changes.count - Self.named
        let did = changes.prefix(Self.named) + (more > 0 ? [Words.more(more)] : [])
        let money = [
            request.optionalInteger("charged").map {
                Words.paid(visit.locale.amount($0, currency))
            },
            request.optionalInteger("refunded").map {
                Words.refunded(visit.locale.amount($0, currency))
            },
        ].compactMap(\.self)
        let notices = request.texts("notices").joined(separator: ", ")
        let origin = try request.bool("inApp") ? Words.onDevice : Words.byServer
        return DataTable.Row([
            visit.momentCell(try request.moment("at")),
            Cell(
                Timeline.Words.spelledOut(try request.text("operation")),
                detail: "\(origin) · \(try request.text("requestReferenceId"))"),
            Cell(
                did.isEmpty ? Words.nothing : did.joined(separator: "; "),
                detail: notices.isEmpty ? nil : notices),
            Cell(money.joined(separator: ", ")), try outcomeCell(of: request),
        ])
    }

    private func outcomeCell(of request: Answer) throws -> Cell {
        let outcome = try request.text("outcome")
        let tone: Tone =
            switch outcome {
            case "done": .good
            case "pending": .attention
            default: .bad
            }
        let settled = request.optionalMoment("settled")
        let isLater = try settled != nil && settled != request.moment("at")
        return .badge(
            outcome, tone, detail: isLater ? settled.map(visit.locale.moment) : nil)
    }
}
