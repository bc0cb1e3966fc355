import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP
import MerchantRules

extension MerchantConsole {
    /// Days that were given for outages.
    var outagePages: [Endpoint<MerchantSite>] { [outages, outage, outageSubscribers] }

    private typealias Words = MerchantWords.Outages

    private var outages: Endpoint<MerchantSite> {
        page("outages", "outages") { visit in
            let path = StorePath("v1", "operator", "campaigns").with("kind", "outage")
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let found = try answer.list("campaigns")
            return Page(
                Words.title, lead: Words.lead,
                [
                    LinkList([
                        PageLink(MerchantWords.Beginning.title, MerchantPath.newCampaign)
                    ]),
                    try visit.campaignTable(
                        found, Words.none,
                        more: try visit.more(answer, found.last, MerchantPath.outages)),
                    visit.same(MerchantCall(Words.title, .get, path, command: nil)),
                ])
        }
    }

    private var outage: Endpoint<MerchantSite> {
        page("outages/{app}/{name}", "outage") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let path = StorePath("v1", "operator", "outages", app, name)
            let report = try await visit.desk.get(path)
            return Page(
                name, badge: visit.campaignStateCell(try report.text("state")),
                trail: [PageLink(Words.title, MerchantPath.outages)],
                [
                    Facts([
                        (Words.app, Cell(app)),
                        (Words.started, visit.momentCell(report, "started")),
                        (Words.problem, report.optionalText("problem").map { Cell($0) }),
                        (Words.audience, try visit.numberCell(report, "audience")),
                        (Words.retried, try visit.numberCell(report, "retried")),
                        (
                            Words.next,
                            report.optionalMoment("next").map { visit.momentCell($0) }
                        ),
                    ]),
                    LinkList([
                        PageLink(Words.manage, MerchantPath.campaign(app, name)),
                        PageLink(
                            MerchantWords.Campaigns.texts,
                            MerchantPath.campaign(app, name, "texts")),
                    ]),
                    PageSection(
                        Words.outcomes, id: "outcomes", about: Words.outcomesAbout,
                        [try visit.outageCounts(report, app, name)]),
                    PageSection(
                        Words.calls, id: "calls", [try visit.outageCalls(report)]),
                    PageSection(Words.mails, id: "mails", [try visit.outageMails(report)]),
                    visit.same(
                        MerchantCall(
                            Words.title, .get, path, command: ["campaign", "report", name])),
                ])
        }
    }

    private var outageSubscribers: Endpoint<MerchantSite> {
        page("outages/{app}/{name}/subscribers", "outageSubscribers") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let path = StorePath("v1", "operator", "outages", app, name, "subscribers")
                .with("outcome", visit.asked("outcome"))
            let own = MerchantPath.outage(app, name, "subscribers")
            let here = StorePath(encoded: own).with("outcome", visit.asked("outcome"))
            let answer = try await visit.desk.get(path.with("after", visit.asked("after")))
            let found = try answer.list("subscribers")
            return Page(
                Words.subscribers,
                trail: [
                    PageLink(Words.title, MerchantPath.outages),
                    PageLink(name, MerchantPath.outage(app, name)),
                ],
                [
                    visit.filter(
                        own, ["outcome"], [Words.outcome],
                        choices: [
                            "outcome": OutageCampaignState.Outcome.allCases.map(\.rawValue)
                        ]),
                    DataTable(
                        Words.subscribers,
                        columns: [
                            Words.subscription, Words.account, Words.product, Words.outcome,
                            Words.reason, Words.days, Words.endBefore, Words.end, Words.mail,
                        ], rows: try found.map { try visit.outageRow($0, app) },
                        empty: Words.nobody,
                        more: try visit.more(answer, found.last, here.text, "after")),
                    visit.same(
                        MerchantCall(
                            Words.subscribers, .get, path,
                            command: ["campaign", "report", name, "--csv"])),
                ])
        }
    }
}

extension MerchantVisit {
    fileprivate func outageCounts(
        _ report: Answer, _ app: String, _ name: String
    ) throws -> DataTable {
        typealias Words = MerchantWords.Outages
        let rows = try report.list("counts").map { one in
            let outcome = try one.text("outcome")
            let path = StorePath(encoded: MerchantPath.outage(app, name, "subscribers"))
                .with("outcome", outcome)
            return DataTable.Row([
                Cell(outcome), Cell(try one.text("sentence")),
                try numberCell(one, "count").linked(to: path.text),
            ])
        }
        return DataTable(
            Words.outcomes, columns: [Words.outcome, Words.reason, Words.count], rows: rows,
            empty: Words.nobody)
    }

    fileprivate func outageCalls(_ report: Answer) throws -> DataTable {
        typealias Words = MerchantWords.Outages
        let rows = try report.list("calls").map { one in
            DataTable.Row([
                Cell(try one.text("productId"), detail: try one.text("environment")),
                momentCell(one, "accepted"), momentCell(one, "completed"),
                Cell(one.optionalText("succeeded") ?? ""), Cell(one.optionalText("failed") ?? ""),
                .code(try one.text("requestIdentifier")),
                Cell(one.optionalText("problem") ?? ""),
            ])
        }
        return DataTable(
            Words.calls,
            columns: [
                Words.product, Words.accepted, Words.completed, Words.succeeded, Words.failed,
                Words.request, Words.problem,
            ], rows: rows, empty: Words.noCalls)
    }

    fileprivate func outageMails(_ report: Answer) throws -> DataTable {
        typealias Words = MerchantWords.Outages
        let rows = try report.list("mails").map { one in
            DataTable.Row([Cell(try one.text("state")), try numberCell(one, "count")])
        }
        return DataTable(
            Words.mails, columns: [Words.state, Words.count], rows: rows, empty: Words.noMails)
    }

    fileprivate func outageRow(_ one: Answer, _ app: String) throws -> DataTable.Row {
        DataTable.Row([
            .code(try one.text("originalTransactionId"), detail: try one.text("environment")),
            accountCell(one, app),
            Cell(try one.text("productId"), detail: one.optionalText("storefront")),
            Cell(try one.text("outcome"), detail: one.optionalText("failure")),
            Cell(try one.text("sentence")), try numberCell(one, "days"),
            momentCell(one, "endBefore"), momentCell(one, "end"),
            Cell(one.optionalText("mail") ?? ""),
        ])
    }
}
