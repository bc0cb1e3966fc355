import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Merchant
import MerchantHTTP
import MerchantRules
import SubscriptionRules

extension MerchantConsole {
    /// Campaigns, from their plans to their reports.
    var campaignPages: [Endpoint<MerchantSite>] {
        [campaigns, campaign, campaignSubscribers, campaignMessages] + campaignMovePages
            + campaignTextPages + planPages + outagePages
    }

    private typealias Words = MerchantWords.Campaigns

    private var campaigns: Endpoint<MerchantSite> {
        page("campaigns", "campaigns") { visit in
            let path = StorePath("v1", "operator", "campaigns").with("kind", "price")
            let plansPath = StorePath("v1", "operator", "campaigns", "plans")
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let plans = try await visit.desk.get(
                plansPath.with("before", visit.asked("plansBefore")))
            let (started, planned) = (try answer.list("campaigns"), try plans.list("plans"))
            return Page(
                Words.title, lead: Words.lead,
                [
                    LinkList([
                        PageLink(MerchantWords.Beginning.title, MerchantPath.newCampaign)
                    ]),
                    PageSection(
                        Words.started, id: "started",
                        [
                            try visit.campaignTable(
                                started, Words.noneStarted,
                                more: try visit.more(answer, started.last, MerchantPath.campaigns))
                        ]),
                    PageSection(
                        Words.plans, id: "plans", about: Words.plansAbout,
                        [
                            try visit.planTable(
                                planned,
                                more: try visit.more(
                                    plans, planned.last, MerchantPath.campaigns, "plansBefore"))
                        ]),
                    visit.same(
                        MerchantCall(Words.started, .get, path, command: nil),
                        MerchantCall(
                            Words.plans, .get, plansPath,
                            command: ["campaign", "plan", "FILE"])),
                ])
        }
    }

    private var campaign: Endpoint<MerchantSite> {
        page("campaigns/{app}/{name}", "campaign") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let path = StorePath("v1", "apps", app, "campaigns", name)
            let reportPath = StorePath("v1", "apps", app, "campaigns", name, "report")
            let run = try await visit.desk.get(path)
            var blocks = try visit.campaignFacts(run, app, name)
            blocks += try await visit.newestPlan(app, name)
            if try run.text("kind") == "price" {
                let report = try await visit.desk.get(reportPath)
                blocks += try visit.reportSections(report, app, name)
                blocks.append(try visit.messageCounts(run, app, name))
            } else {
                blocks.append(
                    LinkList([PageLink(Words.outageReport, MerchantPath.outage(app, name))]))
            }
            blocks.append(
                visit.same(
                    MerchantCall(
                        Words.state, .get, path, command: ["campaign", "status", name]),
                    MerchantCall(
                        Words.report, .get, reportPath, command: ["campaign", "report", name])))
            return Page(
                name, badge: visit.campaignStateCell(try run.text("state")),
                trail: [PageLink(Words.title, MerchantPath.campaigns)], blocks)
        }
    }

    private var campaignSubscribers: Endpoint<MerchantSite> {
        page("campaigns/{app}/{name}/subscribers", "campaignSubscribers") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let names = ["outcome", "cohort", "originalTransactionId"]
            let path = names.reduce(
                StorePath("v1", "apps", app, "campaigns", name, "subscribers")
            ) { $0.with($1, visit.asked($1)) }
            let own = MerchantPath.campaign(app, name, "subscribers")
            let here = names.reduce(StorePath(encoded: own)) { $0.with($1, visit.asked($1)) }
            let answer = try await visit.desk.get(path.with("after", visit.asked("after")))
            let found = try answer.list("subscribers")
            return Page(
                Words.subscribers, trail: visit.campaignTrail(app, name),
                [
                    visit.filter(
                        own, names, [Words.outcome, Words.cohort, Words.subscription],
                        choices: ["outcome": CampaignOutcome.allCases.map(\.rawValue)]),
                    DataTable(
                        Words.subscribers,
                        columns: [
                            Words.subscription, Words.account, Words.product, Words.cohort,
                            Words.state, Words.outcome, Words.oldPrice, Words.newPrice, Words.now,
                        ], rows: try found.map { try visit.campaignSubscriberRow($0, app) },
                        empty: Words.nobody,
                        more: try visit.more(answer, found.last, here.text, "after")),
                    visit.same(
                        MerchantCall(
                            Words.subscribers, .get, path,
                            command: ["campaign", "report", name, "--csv"])),
                ])
        }
    }

    private var campaignMessages: Endpoint<MerchantSite> {
        page("campaigns/{app}/{name}/messages", "campaignMessages") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let names = ["channel", "state", "originalTransactionId"]
            let path = names.reduce(
                StorePath("v1", "apps", app, "campaigns", name, "messages")
            ) { $0.with($1, visit.asked($1)) }
            let own = MerchantPath.campaign(app, name, "messages")
            let here = names.reduce(StorePath(encoded: own)) { $0.with($1, visit.asked($1)) }
            let answer = try await visit.desk.get(path.with("after", visit.asked("after")))
            let found = try answer.list("messages")
            return Page(
                Words.messages, trail: visit.campaignTrail(app, name),
                [
                    visit.filter(
                        own, names, [Words.channel, Words.state, Words.subscription],
                        choices: [
                            "channel": PriceMessage.Channel.allCases.map(\.rawValue),
                            "state": CampaignMessageState.allCases.map(\.rawValue),
                        ]),
                    DataTable(
                        Words.messages,
                        columns: [
                            Words.due, Words.subscription, Words.occasion, Words.channel,
                            Words.state, Words.sent, Words.said, Words.problem,
                        ], rows: try found.map { try visit.messageRow($0) }, empty: Words.none,
                        more: try visit.more(answer, found.last, here.text, "after")),
                    visit.same(
                        MerchantCall(
                            Words.messages, .get, path, command: ["campaign", "messages", name])),
                ])
        }
    }
}

extension MerchantVisit {
    func campaignTrail(_ app: String, _ name: String) -> [PageLink] {
        [
            PageLink(MerchantWords.Campaigns.title, MerchantPath.campaigns),
            PageLink(name, MerchantPath.campaign(app, name)),
        ]
    }

    /// Fields to search by, each with its label; those of few values have them to choose from.
    func filter(
        _ action: String, _ names: [String], _ labels: [String],
        choices: [String: [String]] = [:]
    ) -> PageForm {
        PageForm(
            .ask, action: action, button: MerchantWords.filter,
            fields: zip(names, labels).map { name, label in
                let values = choices[name].map {
                    [("", MerchantWords.anything)] + $0.map { ($0, $0) }
                }
                return Field(
                    name, label, values.map { .choice($0) } ?? .search, in: "filter",
                    value: asked(name) ?? "")
            })
    }

    func campaignStateCell(_ state: String) -> Cell {
        let tone: Tone =
            switch state {
            case "running", "done": .good
            case "paused", "planned": .attention
            case "stopped": .bad
            default: .plain
            }
        return .badge(state, tone)
    }

    /// An amount in milliunits with its currency.
    func amountCell(_ answer: Answer, _ member: String, _ currency: String?) -> Cell {
        guard let amount = answer.optionalInteger(member) else { return Cell.none }
        guard let currency else { return .number(locale.number(Int(amount))) }
        return .number(locale.amount(amount, currency))
    }

    func campaignTable(
        _ campaigns: [Answer], _ empty: String, more: PageLink?
    ) throws -> DataTable {
        typealias Words = MerchantWords.Campaigns
        let rows = try campaigns.map { one in
            let (app, name) = (try one.text("bundleId"), try one.text("campaign"))
            let isOutage = try one.text("kind") == "outage"
            let path = isOutage ? MerchantPath.outage(app, name) : MerchantPath.campaign(app, name)
            return DataTable.Row([
                Cell(PageLink(name, path)), Cell(app), campaignStateCell(try one.text("state")),
                momentCell(one, "started"), momentCell(one, "moved"),
                Cell(one.optionalText("problem") ?? ""),
            ])
        }
        return DataTable(
            Words.title,
            columns: [
                Words.name, Words.app, Words.state, Words.startedAt, Words.moved, Words.problem,
            ], rows: rows, empty: empty, more: more)
    }

    fileprivate func planTable(_ plans: [Answer], more: PageLink?) throws -> DataTable {
        typealias Words = MerchantWords.Campaigns
        let rows = try plans.map { one in
            let number = String(try one.integer("id"))
            return DataTable.Row([
                Cell(PageLink(try one.text("campaign"), MerchantPath.plan(number))),
                Cell(try one.text("bundleId")), Cell(try one.text("kind")),
                momentCell(one, "plannedAt"),
            ])
        }
        return DataTable(
            Words.plans, columns: [Words.name, Words.app, Words.kind, Words.plannedAt],
            rows: rows, empty: Words.noPlan, more: more)
    }

    fileprivate func campaignSubscriberRow(_ one: Answer, _ app: String) throws -> DataTable.Row {
        let currency = one.optionalText("currency")
        return DataTable.Row([
            .code(try one.text("originalTransactionId")), accountCell(one, app),
            Cell(try one.text("productId"), detail: one.optionalText("storefront")),
            Cell(try one.text("cohort")),
            Cell(try one.text("state"), detail: one.optionalText("detail")),
            Cell(try one.text("outcome")), amountCell(one, "oldPrice", currency),
            amountCell(one, "newPrice", currency), amountCell(one, "priceNow", currency),
        ])
    }

    /// Who owns something, where anybody does.
    func accountCell(_ one: Answer, _ app: String) -> Cell {
        guard let account = one.optionalText("account") else { return Cell.none }
        return .name(PageLink(account, MerchantPath.customer(app, account)))
    }

    fileprivate func messageRow(_ one: Answer) throws -> DataTable.Row {
        DataTable.Row([
            momentCell(one, "due"), .code(try one.text("originalTransactionId")),
            Cell(try one.text("occasion")), Cell(try one.text("channel")),
            Cell(try one.text("state")), momentCell(one, "sent"),
            // Of several lines, which a line of a terminal must not be.
            Cell(try one.text("title"), detail: one.value["body"]?.string),
            Cell(one.optionalText("problem") ?? ""),
        ])
    }
}
