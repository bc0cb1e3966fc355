import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Console {
    /// Where everybody begins.
    var overviewPages: [Endpoint<StoreSite>] { [overview] }

    private var overview: Endpoint<StoreSite> {
        page("", "overview") { visit in
            typealias Words = ConsoleWords.Overview
            let clock = try await visit.desk.get(StorePath("connect", "v1", "clock"))
            let apps = try await visit.desk.apps()
            let facts = Facts([
                (ConsoleWords.Clock.now, visit.momentCell(clock, "now")),
                (
                    ConsoleWords.Clock.next,
                    clock.optionalMoment("nextEvent").map(visit.momentCell)
                        ?? Cell(ConsoleWords.Clock.nothingAhead)
                ),
                (
                    Words.apps,
                    Cell(apps.map(\.bundleID).joined(separator: ", "))
                ),
            ])
            return Page(
                Words.title, lead: Words.lead,
                [
                    facts, try visit.timeLinks(clock),
                    PageSection(Words.customers, id: "customers", [try await visit.newcomers()]),
                    PageSection(
                        Words.lately, id: "lately", [try await visit.latelyTable(limit: 10)]),
                    visit.same(
                        SameCall(
                            ConsoleWords.Clock.title, .get, StorePath("connect", "v1", "clock"),
                            command: ["clock"]),
                        SameCall(
                            Words.customers, .get, StorePath("connect", "v1", "customers"),
                            command: ["customer", "list"]),
                        SameCall(
                            Words.lately, .get, StorePath("connect", "v1", "journal"),
                            command: nil)),
                ])
        }
    }
}

extension Visit {
    fileprivate func timeLinks(_ clock: Answer) throws -> PageSection {
        typealias Words = ConsoleWords.Overview
        guard try clock.text("mode") != "system" else {
            return PageSection(Words.goTitle, id: "time", [Prose(Words.noMove)])
        }
        return PageSection(
            Words.goTitle, id: "time", about: Words.goAbout,
            [
                LinkList(
                    ConsoleWords.Clock.steps.map { step in
                        PageLink(
                            step.text,
                            StorePath("console", "clock", "ahead").with("until", step.value).text)
                    }, label: Words.goTitle)
            ])
    }

    /// Customers with what they subscribe to, the first ones of the list.
    fileprivate func newcomers() async throws -> DataTable {
        typealias Words = ConsoleWords.Customers
        let page = try await desk.get(
            StorePath("connect", "v1", "customers").with("limit", "10"))
        var rows: [DataTable.Row] = []
        for one in try page.list("customers") {
            let account = try one.text("account")
            let customer = try await desk.get(
                StorePath("connect", "v1", "customers", account))
            let newest = try customer.list("subscriptions").last
            let id = try newest?.text("originalTransactionId")
            rows.append(
                DataTable.Row([
                    Cell(PageLink(account, ConsolePath.customer(account))),
                    try newest.map {
                        Cell(
                            PageLink(
                                try $0.text("productId"), ConsolePath.subscription(id ?? "")))
                    } ?? .none,
                    try newest.map { stateCell(try $0.text("state")) } ?? .none,
                    newest.map { momentCell($0, "nextEvent") } ?? .none,
                ]))
        }
        return DataTable(
            ConsoleWords.Overview.customers,
            columns: [Words.account, Words.product, Words.state, Words.nextEvent], rows: rows,
            empty: Words.nobody,
            more: try page.bool("hasMore") ? PageLink(Words.all, ConsolePath.customers) : nil)
    }
}
