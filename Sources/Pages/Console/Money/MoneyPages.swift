import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Console {
    /// What came in, and where it went.
    var moneyPages: [Endpoint<StoreSite>] { [money] }

    private var money: Endpoint<StoreSite> {
        page("money", "money") { visit in
            typealias Words = ConsoleWords.Money
            let account = visit.asked("account")
            let path = StorePath("connect", "v1", "ledger").with("order", "newestFirst")
                .with("account", account)
            let answer = try await visit.desk.get(
                path.with("after", visit.asked("after")).with("limit", String(Visit.pageSize)))
            let entries = try answer.list("entries")
            var blocks: [any PageBlock] = []
            let isFirst = visit.asked("after") == nil
            if isFirst, account == nil { blocks += try await visit.proceeds() }
            blocks.append(
                PageSection(
                    account.map(Words.ledgerOf) ?? Words.ledger, id: "ledger",
                    about: Words.ledgerAbout,
                    [
                        try visit.ledgerTable(
                            entries, isFolded: isFirst,
                            more: visit.more(
                                answer, to: StorePath("console", "money").with("account", account),
                                "after", entries.last?.text("sequence")))
                    ]))
            blocks.append(
                visit.same(
                    SameCall(Words.ledger, .get, path, command: ["money", "ledger"]),
                    SameCall(
                        Words.proceeds, .get,
                        StorePath("connect", "v1", "apps", try await visit.app(), "proceeds"),
                        command: ["money", "proceeds"])))
            return Page(Words.title, blocks)
        }
    }
}

extension Visit {
    /// The app that a page is about: the one that is asked for, or else the first.
    func app() async throws -> String {
        if let asked = asked("app") { return asked }
        guard let first = try await desk.apps().first else { throw ErrorBody.unknownPage }
        return first.bundleID
    }

    /// The months of each currency, drawn and listed.
    fileprivate func proceeds() async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Money
        let app = try await app()
        let answer = try await desk.get(
            StorePath("connect", "v1", "apps", app, "proceeds"))
        let now = try await desk.get(StorePath("connect", "v1", "clock")).moment("now")
        var months = ProceedsByMonth()
        for line in try answer.list("lines") { try months.add(line) }
        guard !months.currencies.isEmpty else {
            return [PageSection(Words.proceeds, id: "proceeds", [Prose(Words.noProceeds)])]
        }
        return months.currencies.map { currency in
            let all = months.months(in: currency)
            let figure = ProceedsFigure(
                months: Array(all.suffix(24)), currency: currency, locale: locale,
                running: ProceedsByMonth.start(of: String(now.iso8601.prefix(7))))
            return PageSection(
                Words.proceedsIn(app, currency), id: "proceeds-\(currency)",
                [
                    figure.figure,
                    DataTable(
                        Words.proceedsIn(app, currency),
                        columns: [
                            Words.month, Words.paid, Words.refunded, Words.commission,
                            Words.proceeds,
                        ],
                        rows: all.suffix(24).map { month in
                            DataTable.Row(
                                [Cell(locale.month(month.start))]
                                    + [
                                        month.paid, month.refunded, month.commission,
                                        month.proceeds,
                                    ].map { .number(locale.amount($0, currency)) })
                        }, empty: "", shown: .last(ConsoleWords.showEarlier)),
                ])
        }
    }
}

/// Sums of money by month, of one currency each.
struct ProceedsByMonth {
    /// What a month brought, in milliunits.
    struct Month {
        let start: Instant
        var paid: Int64 = 0
        var refunded: Int64 = 0
        var commission: Int64 = 0
        var proceeds: Int64 = 0
    }

    private var sums: [String: [String: Month]] = [:]

    var currencies: [String] { sums.keys.sorted() }

    func months(in currency: String) -> [Month] {
        (sums[currency] ?? [:]).values.sorted { $0.start < $1.start }
    }

    /// - Parameter name: such as `2026-01`.
    static func start(of name: String) -> Instant {
        Instant(iso8601: "\(name)-01T00:00:00Z") ?? Instant(milliseconds: 0)
    }

    mutating func add(_ line: Answer) throws {
        let name = try line.text("month")
        let currency = try line.text("currency")
        var month = sums[currency]?[name] ?? Month(start: Self.start(of: name))
        month.paid += try line.integer("paid")
        month.refunded += try line.integer("refunded")
        month.commission += try line.integer("commission")
        month.proceeds += try line.integer("proceeds")
        sums[currency, default: [:]][name] = month
    }
}

/// Paints months as bars: what the developer gets, and on it what the store keeps.
struct ProceedsFigure {
    let months: [ProceedsByMonth.Month]
    let currency: String
    let locale: PageLocale
    /// The month that is not over yet.
    let running: Instant

    private static let height = 180
    private static let base = 150

    var figure: Figure {
        Figure(
            wide: drawing(id: "proceeds-\(currency)-wide", width: 1100),
            narrow: drawing(id: "proceeds-\(currency)-narrow", width: 360),
            caption: ConsoleWords.Money.caption(currency),
            legend: [
                key(ConsoleWords.Money.proceeds, "paid"),
                key(ConsoleWords.Money.commission, "trial"),
                key(ConsoleWords.Money.running, "ahead"),
            ])
    }

    private func key(_ text: String, _ kind: String) -> Figure.Key {
        var key = Drawing(id: "", title: "", width: 16, height: 16)
        key.rectangle(x: 1, y: 2, width: 14, height: 12, class: kind)
        return Figure.Key(text, key)
    }

    private func drawing(id: String, width: Int) -> Drawing {
        var drawing = Drawing(
            id: id, title: ConsoleWords.Money.caption(currency), width: width,
            height: Self.height)
        let most = max(months.map { max($0.proceeds + $0.commission, 1) }.max() ?? 1, 1)
        let step = min(width / max(months.count, 1), 80)
        drawing.line(x1: 0, y1: Self.base, x2: width, y2: Self.base, class: "axis")
        for (place, month) in months.enumerated() {
            let x = place * step + 2
            let bar = max(step - 6, 4)
            func units(_ amount: Int64) -> Int {
                Int(max(amount, 0) * Int64(Self.base - 20) / most)
            }
            let (own, kept) = (units(month.proceeds), units(month.commission))
            let name = locale.month(month.start)
            let title = "\(name): \(locale.amount(month.proceeds, currency))"
            drawing.rectangle(
                x: x, y: Self.base - own, width: bar, height: own, class: "paid", title: title)
            drawing.rectangle(
                x: x, y: Self.base - own - kept, width: bar, height: kept, class: "trial",
                title: "\(name): \(locale.amount(month.commission, currency))")
            if month.start == running {
                drawing.rectangle(
                    x: x, y: Self.base - own - kept - 3, width: bar, height: own + kept + 3,
                    class: "ahead")
            }
            // Every label has room for eight characters.
            let every = max(1, (64 + step - 1) / step)
            if place.isMultiple(of: every), x + 56 <= width {
                drawing.text(name, x: x, y: Self.base + 18, class: "faint")
            }
        }
        return drawing
    }
}
