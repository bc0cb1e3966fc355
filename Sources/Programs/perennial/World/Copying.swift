import AppStoreWire
import ConnectAnswers
import Storage
import SubscriptionRules
import Timeline

/// What is said of copies of the world.
enum Copying {
    static let world = StorePath("connect", "v1", "world")

    /// Where copies of a kind are, or something of one of them.
    static func path<Kind: CopyKind>(of kind: Kind.Type, _ parts: String...) -> StorePath {
        StorePath(parts: ["connect", "v1", Kind.list] + parts)
    }

    /// Whether notifications are posted, in words.
    static func words(ofDeliveries areOn: Bool) -> String {
        areOn ? "deliveries are on" : "deliveries are off: notifications wait in the log"
    }

    /// Does something about a copy; where somebody watches, shows how far it is.
    static func watch(
        _ what: String, _ client: StoreClient,
        _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await Elapsed.watch(what, state: { await progress(client) }, body)
    }

    private static func progress(_ client: StoreClient) async -> String? {
        // What is under way stands before the list, whatever it is.
        let list = path(of: Snapshots.self).with("limit", "1")
        guard let state = try? await client.get(list).object("underWay"),
            let done = state.optionalInteger("done"), let total = state.optionalInteger("total"),
            total > 0
        else { return nil }
        return "\(min(100, 100 * done / total)) % of \(size(total))"
    }

    /// A number of bytes in words.
    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000_000: "\(max(1, bytes / 1000)) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }

    /// A fork in words.
    static func words(ofFork fork: Answer, _ style: Style) throws -> [String] {
        let name = try fork.text("name")
        let moment = try fork.moment("forkedAt").plainText
        var lines = [
            "\(name) is a copy of the world as of \(moment) UTC, \(size(try fork.integer("size")))"
        ]
        var facts: [(String, String)] = []
        if let production = fork.value["production"]?["url"]?.string {
            facts.append(("Production", production))
        }
        if let sandbox = fork.value["sandbox"]?["url"]?.string {
            facts.append(("Sandbox", sandbox))
        }
        facts.append(("Deliveries", try fork.bool("deliveries") ? "on" : "off"))
        guard let ready = fork.optionalText("readyFile") else {
            return lines + ["it is not served by this process"]
        }
        facts.append(("Ready file", ready))
        lines += facts.map { "  " + style.paint($0.0.filled(to: 12), .faint) + $0.1 }
        return lines + ["", "`perennial advance P1M --ready \(word: ready)` moves its clock."]
    }
}
