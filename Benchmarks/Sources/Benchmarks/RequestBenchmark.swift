import Store

/// Requests per second at the server API, against an empty route of the same server.
struct RequestBenchmark {
    let subscribers: Int
    let rounds: Int

    func run() async throws -> [Result] { [] }
}
