/// Kinds of pages, asked for in rounds, each beside the empty routes of its own round.
struct PageRounds: Sendable {
    /// What is looked at, and how it is asked for: whole requests, taken in turn.
    struct Kind: Sendable {
        let name: String
        let requests: [String]
    }

    let port: Int
    let rounds: Int
    /// How many pages of a kind are asked for in each round, and how many empty routes ten times.
    let calls: Int

    static let connections = 16
    private static let emptyRequest = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// - Parameter name: of the database.
    func measure(_ kinds: [Kind], _ name: String) async throws -> [PageFigure] {
        var empties: [PageFigure.Round] = []
        var pages = [[PageFigure.Round]](repeating: [], count: kinds.count)
        for round in 1...max(1, rounds) {
            progress("  \(name), round \(round): pages …")
            let empty = try await load(10 * calls) { _ in Self.emptyRequest }
            empties.append(PageFigure.Round(outcome: empty, empty: empty.rate))
            for (place, kind) in kinds.enumerated() {
                let requests = kind.requests
                precondition(!requests.isEmpty, "nobody can look at \(kind.name)")
                // Spread over all, so that no cache of the last pages helps.
                let outcome = try await load(calls) { requests[($0 &* 7919) % requests.count] }
                pages[place].append(PageFigure.Round(outcome: outcome, empty: empty.rate))
            }
        }
        return [PageFigure("an empty route beside pages of \(name)", empties)]
            + kinds.indices.map { PageFigure("\(kinds[$0].name) on \(name)", pages[$0]) }
    }

    private func load(
        _ total: Int, _ request: @escaping @Sendable (Int) -> String
    ) async throws -> Load.Outcome {
        try await Load(
            port: port, connections: Self.connections, total: total, request: request
        ).run()
    }
}
