import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// What stands between a plan and a campaign that runs: a rehearsal, and the button (CMP-40).
    var beginPages: [Endpoint<MerchantSite>] { [rehearsal, showBegin, beginCampaign] }

    private typealias Words = MerchantWords.Beginning

    private var rehearsal: Endpoint<MerchantSite> {
        page("plans/{id}/rehearsal", "rehearsal") { visit in
            let number = try visit.part("id")
            let plan = try await visit.plan(number)
            let (app, name) = (try plan.text("bundleId"), try plan.text("campaign"))
            let shares = try visit.shares()
            var blocks: [any PageBlock] = [visit.rehearsalForm(number)]
            // Of a million subscribers it takes minutes: only who asks for it waits.
            if visit.asked("seed") != nil {
                let draft = try await visit.draft(ofPlan: number)
                let seed = visit.asked("seed")
                let report = try await visit.desk.send(.post, MerchantVisit.rehearsePath) { json in
                    draft.write(to: &json)
                    for (share, value) in shares { json.field(named: share, value) }
                    json.field("seed", seed)
                }
                blocks += try visit.reportSections(report, app, name, isRehearsed: true)
            }
            blocks.append(
                visit.same(
                    MerchantCall(
                        Words.rehearse, .post, MerchantVisit.rehearsePath,
                        body: "{\"file\": \"…\", \"agree\": 60}",
                        command: ["campaign", "rehearse", "FILE"])))
            return Page(
                Words.rehearsalOf(name), lead: Words.rehearsalLead,
                trail: visit.planTrail(name, number), blocks)
        }
    }

    private var showBegin: Endpoint<MerchantSite> {
        page("plans/{id}/begin", "showBegin") { visit in
            let number = try visit.part("id")
            let plan = try await visit.plan(number)
            let (app, name) = (try plan.text("bundleId"), try plan.text("campaign"))
            let isPrice = try plan.text("kind") == "price"
            let hasBegun = try await visit.hasBegun(app, name)
            var blocks: [any PageBlock] = [try visit.planFacts(plan)]
            if isPrice { blocks.append(try await visit.today(number)) }
            blocks.append(
                PageForm(
                    .danger, action: MerchantPath.plan(number, "begin"), button: Words.begin,
                    id: "begin",
                    about: hasBegun ? Words.hasBegun(name) : Words.beginAbout(isPrice: isPrice),
                    hidden: [MerchantForm.hidden()],
                    fields: [
                        Field(
                            "campaign", Words.nameAgain, in: "begin",
                            hint: Words.nameHint(name), isRequired: true)
                    ],
                    way: PageLink(MerchantWords.Errors.back, MerchantPath.plan(number)),
                    isOff: hasBegun))
            blocks += try visit.planTables(plan, number)
            blocks += [
                try await visit.sample(of: number, app),
                visit.same(
                    MerchantCall(
                        Words.begin, .post, MerchantVisit.runPath,
                        body: "{\"file\": \"…\", \"go\": true}",
                        command: ["campaign", "run", "FILE", "--go"])),
            ]
            return Page(
                Words.beginTitle(name), lead: hasBegun ? nil : Words.beginLead,
                trail: visit.planTrail(name, number), blocks)
        }
    }

    private var beginCampaign: Endpoint<MerchantSite> {
        action("plans/{id}/begin", "beginCampaign") { visit, form in
            let number = try visit.part("id")
            let plan = try await visit.plan(number)
            let (app, name) = (try plan.text("bundleId"), try plan.text("campaign"))
            guard form.text("campaign") == name else {
                throw ErrorBody(
                    .unprocessableContent, "otherName", Words.otherName(name), field: "campaign")
            }
            // What was planned and looked at, byte for byte.
            let draft = try await visit.draft(ofPlan: number)
            _ = try await visit.desk.send(.post, MerchantVisit.runPath) { json in
                draft.write(to: &json)
                json.field("go", true)
            }
            return MerchantPath.campaign(app, name)
        }
    }
}

extension MerchantVisit {
    fileprivate static let runPath = StorePath("v1", "operator", "campaigns", "run")
    fileprivate static let rehearsePath = StorePath("v1", "operator", "campaigns", "rehearse")

    fileprivate func plan(_ number: String) async throws -> Answer {
        try await desk.get(StorePath("v1", "operator", "campaigns", "plans", number))
    }

    fileprivate func planTrail(_ name: String, _ number: String) -> [PageLink] {
        typealias Words = MerchantWords.Campaigns
        return [
            PageLink(Words.title, MerchantPath.campaigns),
            PageLink(Words.planOf(name), MerchantPath.plan(number)),
        ]
    }

    /// Whether a campaign of the name was started.
    fileprivate func hasBegun(_ app: String, _ name: String) async throws -> Bool {
        let path = StorePath("v1", "operator", "campaigns").with("app", app)
            .with("campaign", name).with("limit", "1")
        return try await !desk.get(path).list("campaigns").isEmpty
    }

    /// Where one goes from a plan: to the campaign that runs, or on the way to it.
    func nextSteps(_ plan: Answer, _ number: String) async throws -> [PageLink] {
        typealias Words = MerchantWords.Beginning
        let (app, name) = (try plan.text("bundleId"), try plan.text("campaign"))
        if try await hasBegun(app, name) {
            return [PageLink(Words.toCampaign, MerchantPath.campaign(app, name))]
        }
        var steps = [
            PageLink(
                Words.change,
                StorePath(encoded: MerchantPath.newCampaign)
                    .with("plan", number).text)
        ]
        if try plan.text("kind") == "price" {
            steps.append(PageLink(Words.rehearse, MerchantPath.plan(number, "rehearsal")))
        }
        steps.append(PageLink(Words.toBegin, MerchantPath.plan(number, "begin")))
        return steps
    }

    /// Some of a plan, drawn at random.
    func sample(of number: String, _ app: String) async throws -> PageSection {
        typealias Words = MerchantWords.Campaigns
        let path = StorePath("v1", "operator", "campaigns", "plans", number, "sample")
            .with("count", "10")
        let drawn = try await desk.get(path).list("subscribers")
        return PageSection(
            MerchantWords.Beginning.sample, id: "sample",
            about: MerchantWords.Beginning.sampleAbout,
            [
                DataTable(
                    MerchantWords.Beginning.sample,
                    columns: [
                        Words.subscription, Words.account, Words.product, Words.decision,
                        Words.reason, Words.oldPrice, Words.newPrice, Words.renewal,
                        Words.messages,
                    ], rows: try drawn.map { try plannedRow($0, app) }, empty: Words.nobody)
            ])
    }

    /// What would go out within a day.
    fileprivate func today(_ number: String) async throws -> PageSection {
        typealias Words = MerchantWords.Beginning
        let today = try await desk.get(
            StorePath("v1", "operator", "campaigns", "plans", number, "today"))
        return PageSection(
            Words.today, id: "today", about: Words.todayAbout,
            [
                Facts([
                    (Words.mails, try numberCell(today, "mails")),
                    (Words.sheets, try numberCell(today, "sheets")),
                    (Words.pushes, try numberCell(today, "pushes")),
                    (Words.calls, try numberCell(today, "calls")),
                ])
            ])
    }

    // MARK: Rehearsing

    private static let usualShares: [(name: String, label: String, percent: String)] = [
        ("agree", MerchantWords.Beginning.agree, "60"),
        ("decline", MerchantWords.Beginning.decline, "10"),
        ("cancel", MerchantWords.Beginning.cancel, "5"),
    ]

    /// How many of a hundred do what, as the address says it.
    fileprivate func shares() throws(ErrorBody) -> [(name: String, percent: Int64)] {
        var shares: [(name: String, percent: Int64)] = []
        for one in Self.usualShares {
            guard let percent = Int64(asked(one.name) ?? one.percent) else {
                throw ErrorBody(
                    .badRequest, "invalidMember", MerchantWords.Beginning.noShare(one.label),
                    field: one.name)
            }
            shares.append((name: one.name, percent: percent))
        }
        return shares
    }

    fileprivate func rehearsalForm(_ number: String) -> PageForm {
        typealias Words = MerchantWords.Beginning
        var fields = Self.usualShares.map { one in
            Field(
                one.name, one.label, in: "rehearsal", value: asked(one.name) ?? one.percent,
                isRequired: true)
        }
        fields.append(
            Field(
                "seed", Words.seed, in: "rehearsal", value: asked("seed") ?? "1",
                isRequired: true))
        return PageForm(
            .ask, action: MerchantPath.plan(number, "rehearsal"), button: Words.rehearse,
            about: Words.rehearseAbout, fields: fields)
    }
}
