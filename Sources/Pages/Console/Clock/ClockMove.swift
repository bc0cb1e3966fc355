import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Journal
import StoreHTTP
import SubscriptionRules
import Timeline

/// A move of the clock, as the address of its page says it: nothing of it is kept anywhere else,
/// so that any process can show it, also after another one died.
struct ClockMove: Sendable {
    let from: Instant
    let to: Instant
    /// The newest entry of the journal before it.
    let since: Int64
    private let visit: Visit

    init(_ visit: Visit) throws(ErrorBody) {
        guard let from = visit.asked("from").flatMap({ Instant(iso8601: $0) }),
            let to = visit.asked("to").flatMap({ Instant(iso8601: $0) })
        else { throw .unknownPage }
        self.from = from
        self.to = to
        since = visit.asked("since").flatMap(Int64.init) ?? .max
        self.visit = visit
    }

    /// The address of its page, or of what the page follows.
    func path(_ last: String) -> String {
        StorePath("console", "clock", last).with("from", from.iso8601).with("to", to.iso8601)
            .with("since", String(since)).text
    }

    /// How far it is: what falls due next says so, since the clock itself is moved first.
    func step() async throws -> EventStream.Step {
        let reading = try await visit.desk.get(StorePath("connect", "v1", "clock"))
        let now = try reading.moment("now")
        let next = reading.optionalMoment("nextEvent")
        let reached = min(next ?? to, now, to)
        let whole = max(to.since(from).milliseconds, 1)
        let gone = min(max(reached.since(from).milliseconds, 0), whole)
        let isDone = now >= to && next.map { $0 > to } ?? true
        return EventStream.Step(
            ConsoleWords.Clock.reached(visit.locale.moment(reached)),
            permille: isDone ? 1000 : Int(gone * 1000 / whole), isDone: isDone)
    }
}

extension Visit {
    /// The newest entry of the journal; 0 for none.
    func newestEntry() async throws -> Int64 {
        try await desk.get(StorePath("connect", "v1", "journal", "counts")).integer("newest")
    }

    /// What happened since an entry, and the last of it.
    func happened(since entry: Int64) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Clock
        let path = StorePath("connect", "v1", "journal", "counts").with("after", String(entry))
        let counts = try await desk.get(path)
        let rows = try counts.list("counts").map { one in
            DataTable.Row([
                Cell(ConsoleWords.happening(try one.text("kind"))),
                .number(locale.number(Int(try one.integer("count")))),
            ])
        }
        return [
            PageSection(
                Words.whatHappened, id: "happened",
                [
                    DataTable(
                        Words.whatHappened, columns: [Words.what, Words.howMany], rows: rows,
                        empty: Words.nothingHappened),
                    same(SameCall(Words.whatHappened, .get, path, command: nil)),
                ]),
            PageSection(
                Words.lately, id: "lately", [try await latelyTable(limit: 20, after: entry)]),
        ]
    }

    /// What happened last, to whomever.
    ///
    /// - Parameter sequence: only what happened after this entry.
    func latelyTable(limit: Int, after sequence: Int64 = 0) async throws -> DataTable {
        typealias Words = ConsoleWords.Clock
        let page = try await desk.get(
            StorePath("connect", "v1", "journal").with("limit", String(limit)))
        return DataTable(
            Words.lately, columns: [Words.when, Words.what, Words.who, Words.amount],
            rows: try page.list("entries").compactMap { one in
                let entry = try one.object("entry")
                guard (try Int64(entry.text("sequence")) ?? 0) > sequence else { return nil }
                let account = try one.text("account")
                let subscription = one.optionalText("originalTransactionId")
                let event = try Life.event(for: one, entry, locale.figures)
                return DataTable.Row([
                    momentCell(entry, "at"),
                    Cell(
                        try event?.text ?? ConsoleWords.happening(entry.text("event")),
                        detail: entry.optionalText("productId")),
                    Cell(
                        PageLink(
                            account,
                            subscription.map { ConsolePath.subscription($0) }
                                ?? ConsolePath.customer(account))),
                    .number(event?.amount ?? ""),
                ])
            }, empty: Words.nothingYet)
    }
}

extension Life {
    /// A life of one entry that nobody says whose it is, such as one of a rehearsal.
    init(entry: TimelineEntry, _ figures: Figures) {
        self.init(
            id: "", account: "", productID: entry.productID ?? "", state: "active",
            renewsAutomatically: true, expires: nil, price: 0, currency: entry.currency ?? "",
            entries: [entry], now: Instant(milliseconds: 0))
        self.figures = figures
    }

    /// What one entry says by itself, without what was before it; nil for what happened to a
    /// customer and no subscription.
    fileprivate static func event(
        for one: Answer, _ entry: Answer, _ figures: Figures
    ) throws -> TimelineEvent? {
        guard one.optionalText("originalTransactionId") != nil else { return nil }
        return Life(entry: try entry.timelineEntry, figures).events.first
    }
}
