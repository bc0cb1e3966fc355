import ConnectAnswers
import HTMLPages
import HTTPSurface
import MerchantHTTP

/// What the page of a campaign shows.
extension MerchantVisit {
    /// How far it is, and what can be done to it.
    func campaignFacts(_ run: Answer, _ app: String, _ name: String) throws -> [any PageBlock] {
        typealias Words = MerchantWords.Campaigns
        let state = try run.text("state")
        let moves = Self.moves(from: state).map {
            PageLink(Words.move($0), MerchantPath.campaign(app, name, "move", $0))
        }
        var blocks: [any PageBlock] = [
            Facts([
                (Words.app, Cell(app)), (Words.kind, Cell(try run.text("kind"))),
                (Words.state, campaignStateCell(state)),
                (Words.startedAt, momentCell(run, "started")),
                (Words.moved, momentCell(run, "moved")),
                (Words.problem, run.optionalText("problem").map { Cell($0) }),
                (Words.audience, try numberCell(run, "audience")),
            ])
        ]
        if !moves.isEmpty { blocks.append(LinkList(moves, label: Words.moves)) }
        blocks.append(
            LinkList([PageLink(Words.texts, MerchantPath.campaign(app, name, "texts"))]))
        return blocks
    }

    /// What an operator may do to a campaign in a state.
    static func moves(from state: String) -> [String] {
        switch state {
        case "running": ["pause", "stop"]
        case "paused": ["resume", "stop"]
        case "planned": ["stop"]
        default: []
        }
    }

    /// What the newest plan of it said; nothing where it was started without one.
    func newestPlan(_ app: String, _ name: String) async throws -> [any PageBlock] {
        typealias Words = MerchantWords.Campaigns
        let list = StorePath("v1", "operator", "campaigns", "plans").with("app", app)
            .with("campaign", name).with("limit", "1")
        guard let listed = try await desk.get(list).list("plans").first else { return [] }
        let number = String(try listed.integer("id"))
        let plan = try await desk.get(
            StorePath("v1", "operator", "campaigns", "plans", number))
        return [
            PageSection(
                Words.plan, id: "plan", about: Words.planAbout, try planBlocks(plan, number))
        ]
    }

    /// What a plan adds up to; each count leads to whom it counts.
    func planBlocks(_ plan: Answer, _ number: String) throws -> [any PageBlock] {
        [try planFacts(plan)] + (try planTables(plan, number))
    }

    func planFacts(_ plan: Answer) throws -> Facts {
        typealias Words = MerchantWords.Campaigns
        return Facts([
            (Words.plannedAt, momentCell(plan, "plannedAt")),
            (Words.audience, try numberCell(plan, "audience")),
            (Words.days, try plan.integer("days") > 0 ? numberCell(plan, "days") : nil),
        ])
    }

    func planTables(_ plan: Answer, _ number: String) throws -> [any PageBlock] {
        typealias Words = MerchantWords.Campaigns
        let counts = try plan.list("counts").map { one in
            let (decision, reason) = (try one.text("decision"), try one.text("reason"))
            let path = StorePath(encoded: MerchantPath.plan(number, "subscribers"))
                .with("decision", decision).with("reason", reason)
            return DataTable.Row([
                Cell(decision), Cell(try one.text("sentence")),
                try numberCell(one, "count").linked(to: path.text),
            ])
        }
        let money = try plan.list("money").map { one in
            let currency = try one.text("currency")
            return DataTable.Row([
                Cell(currency), try numberCell(one, "subscribers"),
                amountCell(one, "oldPrice", currency), amountCell(one, "newPrice", currency),
                amountCell(one, "stake", currency),
            ])
        }
        return [
            DataTable(
                Words.decisions, columns: [Words.decision, Words.reason, Words.count],
                rows: counts, empty: Words.nobody),
            DataTable(
                Words.money,
                columns: [
                    Words.currency, Words.subscribers, Words.before, Words.after, Words.stake,
                ], rows: money, empty: Words.noMoney, hidesCaption: false),
            try namedTable(Words.unreachable, try plan.list("unreachable")),
            try namedTable(Words.warnings, try plan.list("warnings")),
        ]
    }

    private func namedTable(_ title: String, _ counts: [Answer]) throws -> DataTable {
        typealias Words = MerchantWords.Campaigns
        return DataTable(
            title, columns: [Words.reason, Words.count],
            rows: try counts.map { one in
                DataTable.Row([Cell(try one.text("name")), try numberCell(one, "count")])
            }, empty: Words.nobodyOf(title), hidesCaption: false)
    }

    /// What has come of it, or would; each number leads to whom it counts, where anybody is.
    func reportSections(
        _ report: Answer, _ app: String, _ name: String, isRehearsed: Bool = false
    ) throws -> [any PageBlock] {
        typealias Words = MerchantWords.Campaigns
        func counted(_ one: Answer, _ outcome: String, _ cohort: String?) throws -> Cell {
            let cell = try numberCell(one, "count")
            guard !isRehearsed else { return cell }
            let path = StorePath(encoded: MerchantPath.campaign(app, name, "subscribers"))
                .with("outcome", outcome).with("cohort", cohort)
            return cell.linked(to: path.text)
        }
        let outcomes = try report.list("outcomes").map { one in
            let outcome = try one.text("name")
            return DataTable.Row([Cell(outcome), try counted(one, outcome, nil)])
        }
        let cohorts = try report.list("cohorts").map { one in
            let (cohort, outcome) = (try one.text("cohort"), try one.text("outcome"))
            return DataTable.Row([
                Cell(cohort),
                Cell(try one.text("productId"), detail: one.optionalText("storefront")),
                Cell(outcome),
                try counted(one, outcome, cohort),
            ])
        }
        let money = try report.list("money").map { one in
            let currency = try one.text("currency")
            return DataTable.Row([
                Cell(currency),
                Cell(try one.bool("control") ? Words.control : Words.reached),
                try numberCell(one, "subscribers"), amountCell(one, "before", currency),
                amountCell(one, "after", currency), try numberCell(one, "renewing"),
            ])
        }
        return [
            PageSection(
                isRehearsed ? MerchantWords.Beginning.rehearsed : Words.report, id: "report",
                about: isRehearsed ? MerchantWords.Beginning.rehearsedAbout : Words.reportAbout,
                [
                    DataTable(
                        Words.outcomes, columns: [Words.outcome, Words.count], rows: outcomes,
                        empty: Words.nobody),
                    DataTable(
                        Words.cohorts,
                        columns: [Words.cohort, Words.product, Words.outcome, Words.count],
                        rows: cohorts, empty: Words.nobody, hidesCaption: false),
                    DataTable(
                        Words.money,
                        columns: [
                            Words.currency, Words.group, Words.subscribers, Words.before,
                            Words.now, Words.renewing,
                        ], rows: money, empty: Words.noMoney, hidesCaption: false),
                ])
        ]
    }

    /// How many messages have come how far.
    func messageCounts(_ run: Answer, _ app: String, _ name: String) throws -> PageSection {
        typealias Words = MerchantWords.Campaigns
        let rows = try run.list("messages").map { one in
            let (channel, state) = (try one.text("name"), one.optionalText("detail"))
            let path = StorePath(encoded: MerchantPath.campaign(app, name, "messages"))
                .with("channel", channel).with("state", state)
            return DataTable.Row([
                Cell(channel), Cell(state ?? ""),
                try numberCell(one, "count").linked(to: path.text),
            ])
        }
        return PageSection(
            Words.messages, id: "messages",
            [
                DataTable(
                    Words.messages, columns: [Words.channel, Words.state, Words.count],
                    rows: rows, empty: Words.none)
            ])
    }
}
