import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP
import SubscriptionRules

extension MerchantConsole {
    /// Where everybody begins.
    var overviewPages: [Endpoint<MerchantSite>] { [overview] }

    private var overview: Endpoint<MerchantSite> {
        page("", "overview") { visit in
            typealias Words = MerchantWords.Intake
            let path = StorePath("v1", "operator", "overview")
            let gapsPath = StorePath("v1", "operator", "gaps")
            let health = try await visit.desk.get(path)
            let gaps = try await visit.desk.get(gapsPath)
            return Page(
                Words.title, lead: Words.lead,
                [
                    try visit.health(health),
                    PageSection(
                        Words.sources, id: "sources", [try visit.sources(health)]),
                    PageSection(
                        Words.gaps, id: "gaps", about: Words.gapsAbout,
                        [try visit.gapTable(gaps)]),
                    visit.same(
                        MerchantCall(
                            Words.title, .get, path, command: ["merchant", "status"]),
                        MerchantCall(
                            Words.gaps, .get, gapsPath, command: ["merchant", "gaps"])),
                ])
        }
    }
}

extension MerchantVisit {
    /// What waits, and what came of the rest.
    fileprivate func health(_ answer: Answer) throws -> Facts {
        typealias Words = MerchantWords.Intake
        let now = try answer.moment("asOf")
        let (waiting, dead) = (try answer.integer("waiting"), try answer.integer("deadLetters"))
        let unowned = locale.number(Int(try answer.integer("unownedPurchases")))
        let isExact = try answer.bool("unownedPurchasesIsExact")
        return Facts([
            (Words.asOf, momentCell(now)),
            (Words.verified, try numberCell(answer, "verified")),
            (Words.refused, try numberCell(answer, "refused")),
            (
                Words.waiting,
                Cell(locale.number(Int(waiting)))
                    .linked(to: "\(MerchantPath.notifications)?state=waiting")
            ),
            (
                Words.lag,
                answer.optionalMoment("oldestWaiting").map { Cell(age(since: $0, at: now)) }
            ),
            (
                Words.deadLetters,
                .badge(locale.number(Int(dead)), dead == 0 ? .good : .bad)
                    .linked(to: MerchantPath.deadLetters)
            ),
            (
                Words.unowned,
                Cell(isExact ? unowned : Words.atLeast(unowned)).linked(to: MerchantPath.unowned)
            ),
        ])
    }

    fileprivate func sources(_ answer: Answer) throws -> DataTable {
        typealias Words = MerchantWords.Intake
        let now = try answer.moment("asOf")
        let rows = try answer.list("sources").map { one in
            DataTable.Row([
                Cell(try one.text("bundleId")), Cell(try one.text("environment")),
                agoCell(one, "lastNotification", at: now), agoCell(one, "lastGapLook", at: now),
                momentCell(one, "certificatesEnd"), Cell(one.optionalText("gapProblem") ?? ""),
            ])
        }
        return DataTable(
            Words.sources,
            columns: [
                Words.app, Words.environment, Words.last, Words.look, Words.trust, Words.problem,
            ], rows: rows, empty: Words.noSource)
    }

    /// A moment and how long ago it was.
    private func agoCell(_ answer: Answer, _ member: String, at now: Instant) -> Cell {
        guard let moment = answer.optionalMoment(member) else {
            return Cell(MerchantWords.Intake.never)
        }
        return .moment(
            moment, locale.moment(moment),
            detail: MerchantWords.Ages.ago(age(since: moment, at: now)))
    }

    /// What looks have found, by app and environment.
    func gapTable(_ answer: Answer) throws -> DataTable {
        typealias Words = MerchantWords.Intake
        let rows = try answer.list("gaps").map { one in
            DataTable.Row([
                Cell(try one.text("bundleId"), detail: try one.text("environment")),
                Cell(try one.text("kind")), Cell(try one.text("state")),
                try numberCell(one, "read"), try numberCell(one, "healed"),
                try numberCell(one, "changed"), momentCell(one, "ended"),
                Cell(one.optionalText("problem") ?? ""),
            ])
        }
        return DataTable(
            Words.gaps,
            columns: [
                Words.app, Words.kind, Words.state, Words.read, Words.healed, Words.changed,
                Words.ended, Words.problem,
            ], rows: rows, empty: Words.noGaps)
    }
}
