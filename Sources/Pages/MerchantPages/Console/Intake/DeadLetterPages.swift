import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// What was accepted and could not be processed.
    var deadLetterPages: [Endpoint<MerchantSite>] { [deadLetters, deadLetter, replay] }

    private typealias Words = MerchantWords.DeadLetters

    private var deadLetters: Endpoint<MerchantSite> {
        page("dead-letters", "deadLetters") { visit in
            let path = StorePath("v1", "operator", "dead-letters")
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let letters = try answer.list("deadLetters")
            let rows = try letters.map { one in
                let number = String(try one.integer("id"))
                return DataTable.Row([
                    Cell(PageLink(number, MerchantPath.deadLetter(number))),
                    visit.momentCell(one, "received"), try visit.typeCell(one),
                    Cell(one.optionalText("problem") ?? ""),
                ])
            }
            return Page(
                Words.title, lead: Words.lead,
                [
                    DataTable(
                        Words.title,
                        columns: [Words.number, Words.received, Words.type, Words.problem],
                        rows: rows, empty: Words.none,
                        more: try visit.more(answer, letters.last, MerchantPath.deadLetters)),
                    visit.same(
                        MerchantCall(
                            Words.title, .get, path, command: ["merchant", "dead-letters"])),
                ])
        }
    }

    private var deadLetter: Endpoint<MerchantSite> {
        page("dead-letters/{id}", "deadLetter") { visit in
            let number = try visit.part("id")
            let letter = try await visit.deadLetter(number)
            let replay = StorePath("v1", "operator", "dead-letters", number, "replay")
            return Page(
                Words.one(number),
                trail: [PageLink(Words.title, MerchantPath.deadLetters)],
                [
                    Facts([
                        (Words.type, try visit.typeCell(letter)),
                        (Words.uuid, .code(try letter.text("notificationUUID"))),
                        (Words.signed, visit.momentCell(letter, "signedDate")),
                        (Words.received, visit.momentCell(letter, "received")),
                        (Words.problem, Cell(letter.optionalText("problem") ?? "")),
                    ]),
                    PageForm(
                        .change, action: MerchantPath.deadLetter(number, "replay"),
                        button: Words.replay, about: Words.replayAbout,
                        hidden: [MerchantForm.hidden()]),
                    visit.same(
                        MerchantCall(
                            Words.replay, .post, replay,
                            command: ["merchant", "replay", number])),
                ])
        }
    }

    private var replay: Endpoint<MerchantSite> {
        action("dead-letters/{id}/replay", "replayDeadLetter") { visit, _ in
            let number = try visit.part("id")
            let letter = try await visit.desk.send(
                .post, StorePath("v1", "operator", "dead-letters", number, "replay"))
            // What has failed again shows why.
            return try letter.text("state") == "dead"
                ? MerchantPath.deadLetter(String(try letter.integer("id")))
                : MerchantPath.deadLetters
        }
    }
}

extension MerchantVisit {
    /// One of them: the first before the next number.
    fileprivate func deadLetter(_ number: String) async throws -> Answer {
        guard let id = Int64(number), (1..<Int64.max).contains(id) else {
            throw ErrorBody.unknownPage
        }
        let path = StorePath("v1", "operator", "dead-letters").with("before", String(id + 1))
            .with("limit", "1")
        let found = try await desk.get(path).list("deadLetters").first
        guard let found, try found.integer("id") == id else {
            throw ErrorBody.unknownPage
        }
        return found
    }

    /// A notification's type and subtype.
    func typeCell(_ answer: Answer) throws -> Cell {
        Cell(try answer.text("type"), detail: answer.optionalText("subtype"))
    }

    /// Where a list goes on behind its last entry; nil where it ends.
    ///
    /// - Parameters:
    ///   - path: of the page, with its filters.
    ///   - cursor: `before` or `after`.
    func more(
        _ answer: Answer, _ last: Answer?, _ path: String, _ cursor: String = "before"
    ) throws -> PageLink? {
        guard try answer.bool("hasMore"), let id = last?.optionalText("id") else { return nil }
        return PageLink(
            MerchantWords.more, StorePath(encoded: path).with(cursor, id).text)
    }
}
