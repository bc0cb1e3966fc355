import AppStoreWire
import Foundation
import Store
import SubscriptionRules
import TestSupport
import Testing

/// `docs/events.md` is what playing each of its rows gives.
///
/// With PERENNIAL_WRITE_EVENTS set the page is written anew instead of compared.
@Suite("The table of events")
struct EventTableTests {
    @Test("Every row of docs/events.md is what happens")
    func page() async throws {
        let played = try await EventTable.play()
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/events.md").standardized
        if ProcessInfo.processInfo.environment["PERENNIAL_WRITE_EVENTS"] != nil {
            try Data(played.utf8).write(to: page)
        }
        let written = try String(contentsOf: page, encoding: .utf8)
        let (happens, says) = (played.split(separator: "\n"), written.split(separator: "\n"))
        for (now, before) in zip(happens, says) { #expect(now == before) }
        #expect(happens.count == says.count)
    }
}

/// The rows, played and written down.
enum EventTable {
    static func play() async throws -> String {
        var text = """
            # What happens when

            Every state of a subscription, and everything that can happen in it: what the developer is told, what changes in the signed renewal info and the newest signed transaction (by field name, but for `signedDate`), and what money moves. Each row was played in a store of its own, and a test plays it again: this page cannot be wrong. To write it anew after a change of the rules, run `make events`.

            Told: type/subtype, in order. Money: what the customer pays (-) or gets (+), and in brackets what the developer and the store gain. A refusal changes nothing; its name is the one of the engine.

            """
        let situations = Situation.all + Situation.others
        let sections = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (place, situation) in situations.enumerated() {
                group.addTask { (place, try await section(situation)) }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        for place in situations.indices { text += sections[place] ?? "" }
        return text
    }

    private static func section(_ situation: Situation) async throws -> String {
        var text = "\n## \(situation.name)\n\n\(situation.sentence)\n\n"
        text += "| The customer, or the subscription, … | Told | Changes | Money |\n"
        text += "|---|---|---|---|\n"
        for event in TableEvent.all {
            guard let row = try await row(situation, event) else { continue }
            text += "| \(([event.name] + row).joined(separator: " | ")) |\n"
        }
        return text
    }

    /// Nil where the event has no meaning.
    private static func row(
        _ situation: Situation, _ event: TableEvent
    ) async throws -> [String]? {
        let scene = try await situation.make()
        let before = try await Snapshot(scene)
        do {
            try await event.happen(scene)
        } catch is TableEvent.NotPossible {
            return nil
        } catch let error as StoreError {
            return ["refused: \(error.name)", "", ""]
        }
        try await scene.world.store.settle()
        var told: [String] = []
        for arrival in scene.world.listener.takeArrivals() {
            let id = arrival.transaction.flatMap { Int64($0.transactionId) } ?? 0
            let owner = try await scene.world.owner(ofTransaction: id) ?? "ada"
            told.append(arrival.name + (owner == "ada" ? "" : " (\(owner))"))
        }
        let after = try await Snapshot(scene)
        return [
            told.isEmpty ? "nothing" : told.joined(separator: ", "),
            after.changes(since: before), after.money(since: before),
        ]
    }
}

/// What the signed data and the ledger say at a moment.
private struct Snapshot {
    private var status: Status?
    private var renewal: [String: JSONValue] = [:]
    private var transaction: [String: JSONValue] = [:]
    private let books: [String]

    init(_ scene: Situation.Scene) async throws {
        books = try await scene.world.books()
        let store = scene.world.store
        let bought = try await store.customer(account: "ada", in: .production).1.first?.id
        guard let id = scene.id ?? bought else { return }
        let response = try await store.statuses(
            anyTransaction: id, [], for: scene.world.caller())
        guard let item = response.data.first?.lastTransactions.first else { return }
        status = item.status
        renewal = try JWSText.members(item.signedRenewalInfo)
        transaction = try JWSText.members(item.signedTransactionInfo)
    }

    func changes(since before: Snapshot) -> String {
        func changed(_ old: [String: JSONValue], _ new: [String: JSONValue]) -> [String] {
            Set(old.keys).union(new.keys).filter { $0 != "signedDate" && old[$0] != new[$0] }
                .sorted().map { "`\($0)`" }
        }
        var parts: [String] = []
        if status != before.status {
            let (from, to) = (before.status?.rawValue, status?.rawValue)
            parts.append(
                "status \(from.map(String.init) ?? "none") → \(to.map(String.init) ?? "none")")
        }
        guard before.status != nil else { return parts.joined(separator: "; ") }
        let renewals = changed(before.renewal, renewal)
        if !renewals.isEmpty { parts.append("renewal info: " + renewals.joined(separator: " ")) }
        if before.transaction["transactionId"] != transaction["transactionId"] {
            parts.append("a new transaction")
        } else {
            let transactions = changed(before.transaction, transaction)
            if !transactions.isEmpty {
                parts.append("transaction: " + transactions.joined(separator: " "))
            }
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }

    func money(since before: Snapshot) -> String {
        books.dropFirst(before.books.count).map { line in
            let words = line.split(separator: " ").suffix(4)
            let (kind, amounts) = (words.first ?? "", words.dropFirst().map(String.init))
            return "\(kind) \(amounts[0]) (\(amounts[1]), \(amounts[2]))"
        }.joined(separator: ", ")
    }
}

extension StoreError {
    /// The case without what belongs to it: `alreadySubscribed`, `notExtended(expired)`.
    fileprivate var name: String {
        switch self {
        case .refused(.notExtended(let refusal)): "notExtended(\(refusal.rawValue))"
        case .refused(let refusal): "\(refusal)"
        case .refund(.refused(let refusal)): "\(refusal)"
        case .purchase(.offer(.refused(let refusal))): refusal.rawValue
        case .family(let error): "\(error)".prefix { $0 != "(" }.description
        case .purchase(let error): "\(error)".prefix { $0 != "(" }.description
        default: "\(self)".prefix { $0 != "(" }.description
        }
    }
}
