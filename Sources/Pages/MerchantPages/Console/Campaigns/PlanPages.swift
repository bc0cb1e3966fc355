import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Merchant
import MerchantHTTP

extension MerchantConsole {
    /// Plans, and what they say of whom.
    var planPages: [Endpoint<MerchantSite>] {
        [plan, plannedSubscribers] + draftPages + beginPages
    }

    private typealias Words = MerchantWords.Campaigns

    private var plan: Endpoint<MerchantSite> {
        page("plans/{id}", "plan") { visit in
            let number = try visit.part("id")
            let path = StorePath("v1", "operator", "campaigns", "plans", number)
            let plan = try await visit.desk.get(path)
            let (app, name) = (try plan.text("bundleId"), try plan.text("campaign"))
            var blocks = try visit.planBlocks(plan, number)
            blocks += [
                LinkList([
                    PageLink(Words.texts, MerchantPath.campaign(app, name, "texts")),
                    PageLink(
                        Words.allSubscribers, MerchantPath.plan(number, "subscribers")),
                ]),
                try await visit.sample(of: number, app),
                LinkList(
                    try await visit.nextSteps(plan, number),
                    label: MerchantWords.Beginning.nextSteps),
                visit.same(
                    MerchantCall(
                        Words.plan, .get, path, command: ["campaign", "plan", "FILE"])),
            ]
            return Page(
                Words.planOf(name), lead: Words.planLead,
                trail: [PageLink(Words.title, MerchantPath.campaigns)], blocks)
        }
    }

    private var plannedSubscribers: Endpoint<MerchantSite> {
        page("plans/{id}/subscribers", "plannedSubscribers") { visit in
            let number = try visit.part("id")
            let names = ["decision", "reason"]
            let plan = try await visit.desk.get(
                StorePath("v1", "operator", "campaigns", "plans", number))
            let path = names.reduce(
                StorePath("v1", "operator", "campaigns", "plans", number, "subscribers")
            ) { $0.with($1, visit.asked($1)) }
            let own = MerchantPath.plan(number, "subscribers")
            let here = names.reduce(StorePath(encoded: own)) { $0.with($1, visit.asked($1)) }
            let answer = try await visit.desk.get(path.with("after", visit.asked("after")))
            let found = try answer.list("subscribers")
            let app = try plan.text("bundleId")
            return Page(
                Words.subscribers,
                trail: [
                    PageLink(Words.title, MerchantPath.campaigns),
                    PageLink(Words.planOf(try plan.text("campaign")), MerchantPath.plan(number)),
                ],
                [
                    visit.filter(
                        own, names, [Words.decision, Words.reason],
                        choices: [
                            "decision": PlanDecision.allCases.map(\.rawValue),
                            "reason": PlanReasons.all,
                        ]),
                    DataTable(
                        Words.subscribers,
                        columns: [
                            Words.subscription, Words.account, Words.product, Words.decision,
                            Words.reason, Words.oldPrice, Words.newPrice, Words.renewal,
                            Words.messages,
                        ], rows: try found.map { try visit.plannedRow($0, app) },
                        empty: Words.nobody,
                        more: try visit.more(answer, found.last, here.text, "after")),
                    visit.same(
                        MerchantCall(
                            Words.subscribers, .get, path,
                            command: ["campaign", "plan", "FILE", "--csv"])),
                ])
        }
    }
}

extension MerchantVisit {
    func plannedRow(_ one: Answer, _ app: String) throws -> DataTable.Row {
        let currency = one.optionalText("currency")
        var days: [(day: String, channels: [String])] = []
        for message in try one.list("messages") {
            let channel = try message.text("channel")
            let day = locale.day(try message.moment("at"))
            if days.last?.day == day {
                days[days.count - 1].channels.append(channel)
            } else {
                days.append((day, [channel]))
            }
        }
        let messages = days.map { "\($0.day): \($0.channels.joined(separator: ", "))" }
        return DataTable.Row([
            .code(try one.text("originalTransactionId"), detail: try one.text("environment")),
            accountCell(one, app),
            Cell(try one.text("productId"), detail: one.optionalText("storefront")),
            Cell(try one.text("decision")), Cell(try one.text("sentence")),
            amountCell(one, "oldPrice", currency), amountCell(one, "newPrice", currency),
            momentCell(one, "renewal"), Cell(messages.joined(separator: "; ")),
        ])
    }
}
