import AppStoreWire
import Outbox
import OutboxHTTP
import StorageSQLite
import Store
import SubscriptionRules

/// Notifications a second to a server of this machine, one that answers at once and one that takes
/// 20 milliseconds, against the same client that posts the same bodies without a store.
struct DeliveryBenchmark {
    let notifications: Int
    let rounds: Int

    func run() async throws -> [Result] {
        let chain = try Fixture.chain()
        var results: [Result] = []
        for delay in [0, 20] {
            var rates: [Double] = []
            var limits: [Double] = []
            for round in 1...rounds {
                progress("  round \(round): a server that answers after \(delay) ms …")
                let (rate, limit) = try await Fixture.withFolder { folder in
                    let post = HTTPPost()
                    let listener = try await Listener(delay: .milliseconds(Int64(delay)))
                    let database = try SQLiteDatabase(path: folder + "/store.sqlite")
                    let store = try await Fixture.store(database, chain: chain, post: post)
                    try await subscribe(store, telling: listener.url)
                    let rate = try await deliver(from: store, to: listener)
                    let limit = try await repeatPosts(
                        bodies(in: database), to: listener, with: post)
                    await database.close()
                    await post.close()
                    await listener.close()
                    return (rate, limit)
                }
                rates.append(rate)
                limits.append(limit)
            }
            results.append(
                Result(
                    name: "notifications on SQLite, answered after \(delay) ms",
                    rate: median(rates), limitName: "the same posts without a store",
                    limit: median(limits)))
        }
        return results
    }

    /// Lets everybody buy, each of which is told to a server.
    private func subscribe(_ store: Store, telling url: String) async throws {
        try await store.configure(bundleID: Fixture.bundleID) { $0.notificationURL = url }
        try await withThrowingTaskGroup { group in
            for part in 0..<8 {
                group.addTask {
                    for index in stride(from: part, to: notifications, by: 8) {
                        let device = try await store.signIn(
                            SignInRequest(bundleID: Fixture.bundleID, account: "a-\(index)"),
                            in: .production, token: "token-\(index)")
                        _ = try await store.buy(
                            PurchaseRequest(productID: "club.monthly"), by: device)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Returns: notifications a second.
    private func deliver(from store: Store, to listener: Listener) async throws -> Double {
        let time = try await seconds { _ = try await store.settle() }
        precondition(listener.count == notifications, "not all were delivered")
        return Double(notifications) / time
    }

    /// What was posted.
    private func bodies(in database: SQLiteDatabase) async throws -> [[UInt8]] {
        try await database.read { session in
            try session.rows("SELECT signed_payload FROM notification ORDER BY id").map { row in
                ResponseBodyV2(signedPayload: try row.text(0)).jsonBytes()
            }
        }
    }

    /// - Returns: posts a second.
    private func repeatPosts(
        _ bodies: [[UInt8]], to listener: Listener, with post: HTTPPost
    ) async throws -> Double {
        let time = await seconds {
            await withTaskGroup(of: Void.self) { group in
                for (place, body) in bodies.enumerated() {
                    if place >= Store.usualDeliveriesAtOnce { _ = await group.next() }
                    group.addTask {
                        let outcome = await post.post(body, to: listener.url)
                        precondition(
                            outcome == .answered(status: 200), "a post failed: \(outcome)")
                    }
                }
            }
        }
        precondition(listener.count == 2 * notifications, "not all were posted")
        return Double(bodies.count) / time
    }
}
