import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP

extension MerchantConsole {
    /// Where a campaign's file is pasted, checked and planned.
    var draftPages: [Endpoint<MerchantSite>] { [newCampaign, planCampaign] }

    private var newCampaign: Endpoint<MerchantSite> {
        page("campaigns/new", "newCampaign") { visit in
            guard let number = visit.asked("plan") else {
                return visit.draftPage(.empty, naming: [], [])
            }
            let draft = try await visit.draft(ofPlan: number)
            return visit.draftPage(draft, naming: draft.attachments.keys.sorted(), [])
        }
    }

    /// What is wrong is shown with what was pasted, so this answers with a page where others lead
    /// to one. A plan sends nothing, and takes the place of the one before: no form is remembered,
    /// for somebody may go back and change the file.
    private var planCampaign: Endpoint<MerchantSite> {
        endpoint(.post, "campaigns/new", "planCampaign") { call in
            guard let visit = MerchantVisit(call, console: self) else {
                return .seeOther(MerchantPath.signIn(returningTo: nil))
            }
            return try await visit.answering {
                try SameOrigin.require(call, saying: MerchantWords.Errors.otherOrigin)
                let draft = CampaignDraft(
                    try await FormInput(call, upTo: CampaignDraft.limit))
                guard !draft.file.isEmpty else {
                    throw ErrorBody(
                        .badRequest, "invalidCampaign", MerchantWords.Beginning.nothing,
                        field: "file")
                }
                let checked = try await visit.desk.send(.post, MerchantVisit.checkPath) {
                    draft.write(to: &$0)
                }
                guard try checked.list("problems").isEmpty else {
                    return visit.response(to: try visit.wrong(draft, checked))
                }
                do {
                    let plan = try await visit.desk.send(.post, MerchantVisit.planPath) {
                        draft.write(to: &$0)
                    }
                    let number = String(try plan.integer("id"))
                    return .seeOther(
                        MerchantDone.added("planCampaign", to: MerchantPath.plan(number)))
                } catch let refusal as MerchantRefusal {
                    var page = visit.draftPage(
                        draft, naming: draft.attachments.keys.sorted(),
                        [Notice(.bad, refusal.message, id: "problem")])
                    page.status = refusal.status
                    return visit.response(to: page)
                }
            }
        }
    }
}

extension MerchantVisit {
    fileprivate static let checkPath = StorePath("v1", "operator", "campaigns", "check")
    fileprivate static let planPath = StorePath("v1", "operator", "campaigns", "plan")

    /// What a plan was made of.
    func draft(ofPlan number: String) async throws -> CampaignDraft {
        try CampaignDraft(
            try await desk.get(
                StorePath("v1", "operator", "campaigns", "plans", number, "file")))
    }

    /// The form for a campaign's file.
    ///
    /// - Parameters:
    ///   - names: the files that it names.
    ///   - notes: what stands above the form.
    fileprivate func draftPage(
        _ draft: CampaignDraft, naming names: [String], _ notes: [any PageBlock]
    ) -> Page {
        typealias Words = MerchantWords.Beginning
        var blocks = notes
        blocks.append(draft.form(naming: names))
        blocks.append(
            same(
                MerchantCall(
                    Words.check, .post, Self.checkPath, body: "{\"file\": \"…\"}",
                    command: ["campaign", "check", "FILE"]),
                MerchantCall(
                    Words.plan, .post, Self.planPath, body: "{\"file\": \"…\"}",
                    command: ["campaign", "plan", "FILE"])))
        return Page(
            Words.title, lead: Words.lead,
            trail: [PageLink(MerchantWords.Campaigns.title, MerchantPath.campaigns)], blocks)
    }

    /// The form again, with what is wrong, and a field for each file that is named.
    fileprivate func wrong(_ draft: CampaignDraft, _ checked: Answer) throws -> Page {
        typealias Words = MerchantWords.Beginning
        let files = try checked.list("files")
        let names = files.compactMap { $0.value["name"]?.string }
        let isIncomplete = try files.contains { try !$0.bool("given") }
        let rows = try checked.list("problems").map { one in
            DataTable.Row([
                .number(one.optionalText("line") ?? ""),
                one.optionalText("member").map { Cell.code($0) } ?? Cell.none,
                Cell(try one.text("message")),
            ])
        }
        var page = draftPage(
            draft, naming: names,
            [
                Notice(.bad, isIncomplete ? Words.incomplete : Words.wrong, id: "problem"),
                DataTable(
                    Words.problems, columns: [Words.line, Words.member, Words.problem],
                    rows: rows, empty: Words.noProblem),
            ])
        page.status = .unprocessableContent
        return page
    }
}
