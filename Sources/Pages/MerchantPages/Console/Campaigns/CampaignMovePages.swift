import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// Holding a campaign up, letting it go on and ending it: each asked about first.
    var campaignMovePages: [Endpoint<MerchantSite>] { [showMove, moveCampaign] }

    private typealias Words = MerchantWords.Campaigns

    private var showMove: Endpoint<MerchantSite> {
        page("campaigns/{app}/{name}/move/{move}", "showMove") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let move = try visit.move()
            let run = try await visit.desk.get(StorePath("v1", "apps", app, "campaigns", name))
            let state = try run.text("state")
            let isPossible = MerchantVisit.moves(from: state).contains(move)
            return Page(
                Words.moveTitle(move, name), lead: Words.moveLead(move),
                trail: visit.campaignTrail(app, name),
                [
                    Facts([
                        (Words.state, visit.campaignStateCell(state)),
                        (Words.audience, try visit.numberCell(run, "audience")),
                    ]),
                    try visit.messageCounts(run, app, name),
                    try visit.callCounts(run),
                    PageForm(
                        move == "stop" ? .danger : .change,
                        action: MerchantPath.campaign(app, name, "move", move),
                        button: Words.move(move),
                        about: isPossible ? nil : Words.notFrom(state),
                        hidden: [MerchantForm.hidden()],
                        way: PageLink(
                            MerchantWords.Errors.back, MerchantPath.campaign(app, name)),
                        isOff: !isPossible),
                    visit.same(
                        MerchantCall(
                            Words.move(move), .post,
                            StorePath("v1", "apps", app, "campaigns", name, move),
                            command: ["campaign", move, name])),
                ])
        }
    }

    private var moveCampaign: Endpoint<MerchantSite> {
        action("campaigns/{app}/{name}/move/{move}", "moveCampaign") { visit, _ in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let move = try visit.move()
            _ = try await visit.desk.send(
                .post, StorePath("v1", "apps", app, "campaigns", name, move))
            return MerchantPath.campaign(app, name)
        }
    }
}

extension MerchantVisit {
    /// Which of the three the path names.
    fileprivate func move() throws(ErrorBody) -> String {
        let move = try part("move")
        guard ["pause", "resume", "stop"].contains(move) else { throw .unknownPage }
        return move
    }

    /// How many calls of the store have come how far.
    fileprivate func callCounts(_ run: Answer) throws -> PageSection {
        typealias Words = MerchantWords.Campaigns
        let rows = try run.list("calls").map { one in
            DataTable.Row([Cell(try one.text("name")), try numberCell(one, "count")])
        }
        return PageSection(
            Words.calls, id: "calls",
            [
                DataTable(
                    Words.calls, columns: [Words.state, Words.count], rows: rows,
                    empty: Words.none)
            ])
    }
}
