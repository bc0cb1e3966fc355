import ConnectAnswers
import HTMLPages
import HTTPSurface

/// What there is to say of copies and deliveries before something is done with them.
extension Visit {
    /// A snapshot or fork to be made: as of when, about how large, and beside how many others.
    ///
    /// - Parameter list: `snapshots` or `forks`.
    func copyAhead(_ name: String, of list: String) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.World
        let all = try await copies(list)
        let clock = try await desk.get(StorePath("connect", "v1", "clock"))
        return [
            Facts([
                (Words.name, .code(name)), (Words.at, momentCell(clock, "now")),
                (
                    Words.copiesNow,
                    .number(
                        locale.number(all.count),
                        detail: Words.bytes(locale.number(Int(try size(of: all)))))
                ),
                (
                    Words.largest,
                    try all.map { try $0.integer("size") }.max().map {
                        .number(Words.bytes(locale.number(Int($0))))
                    }
                ),
            ]),
            Prose(list == "forks" ? Words.forkAhead : Words.snapshotAhead),
        ]
    }

    /// A snapshot or fork to be removed: as of when, and what that frees.
    func removalAhead(_ name: String, of list: String) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.World
        let all = try await copies(list)
        guard let copy = try all.first(where: { try $0.text("name") == name }) else {
            throw ErrorBody.unknownPage
        }
        let clock = try await desk.get(StorePath("connect", "v1", "clock"))
        return [
            Facts([
                (Words.name, .code(name)),
                (Words.at, momentCell(copy, list == "forks" ? "forkedAt" : "now")),
                (ConsoleWords.Clock.now, momentCell(clock, "now")),
                (
                    Words.frees,
                    .number(Words.bytes(locale.number(Int(try copy.integer("size")))))
                ),
                (Words.copiesThen, .number(locale.number(all.count - 1))),
            ])
        ]
    }

    /// Deliveries to be switched, and how many notifications wait for them.
    func deliveriesAhead(_ form: FormInput) async throws -> Facts {
        typealias Words = ConsoleWords.World
        let delivers = try await desk.get(StorePath("connect", "v1", "world")).bool("deliveries")
        return Facts([
            (Words.deliveriesNow, Cell(delivers ? Words.on : Words.off)),
            (Words.deliveriesThen, Cell(form["deliveries"] == "true" ? Words.on : Words.off)),
            (ConsoleWords.Notifications.stillWaiting, try await waitingNotifications()),
        ])
    }

    private func copies(_ list: String) async throws -> [Answer] {
        try await desk.get(StorePath("connect", "v1", list).with("limit", "200")).list(list)
    }

    private func size(of copies: [Answer]) throws -> Int64 {
        try copies.reduce(0) { try $0 + $1.integer("size") }
    }
}
