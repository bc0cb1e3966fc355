import AppStoreSigning
import Foundation
import StoragePostgres
import Storage
import StorageSQLite
import Store
import SubscriptionRules

/// A million one-time codes: made, written out, and redeemed, against first purchases of the same
/// product in the same round, which are all but the code.
struct CodeBenchmark {
    let customers: Int
    let rounds: Int
    let databaseURL: String?
    private let codes = 1_000_000

    func run() async throws -> [any Figure] {
        var figures = try await Fixture.withFolder { folder in
            try await measure("SQLite") {
                try SQLiteDatabase(path: folder + "/\($0).sqlite")
            }
        }
        guard let databaseURL else { return figures }
        let server = try PostgresDatabase(url: databaseURL, connections: 1)
        figures += try await measure("PostgreSQL") { _ in
            try PostgresDatabase(
                url: try await Fixture.freshSchema(in: server, at: databaseURL))
        }
        await server.close()
        return figures
    }

    private func measure(
        _ name: String, _ open: (Int) async throws -> any Database
    ) async throws -> [any Figure] {
        var (made, redeemed, bought) = ([Double](), [Double](), [Double]())
        for round in 0..<rounds {
            progress("  round \(round + 1) on \(name) …")
            let database = try await open(round)
            let store = try await Fixture.store(database, chain: try Fixture.chain())
            try await store.createOffer(
                Offer(
                    kind: .offerCode, id: "FREE", mode: .freeTrial, period: .month,
                    audiences: [.new]), of: "club.monthly", bundleID: Fixture.bundleID)
            var texts: [String] = []
            let time = try await seconds {
                let batch = try await store.makeOfferCodes(
                    OfferCodeOrder(productID: "club.monthly", offerID: "FREE", count: codes),
                    bundleID: Fixture.bundleID, in: .production)
                texts = try await store.offerCodes(
                    ofBatch: batch.id, bundleID: Fixture.bundleID, in: .production)
            }
            precondition(Set(texts).count == codes, "codes come twice")
            made.append(Double(codes) / time)
            let all = texts
            redeemed.append(
                try await rate(store, "redeemer") { device, number in
                    _ = try await store.redeem(code: all[number * 37], by: device)
                })
            bought.append(
                try await rate(store, "buyer") { device, _ in
                    _ = try await store.buy(
                        PurchaseRequest(productID: "club.monthly"), by: device)
                })
            await database.close()
        }
        return [
            Result(
                name: "codes redeemed on \(name)", rate: median(redeemed),
                limitName: "first purchases", limit: median(bought)),
            Result(
                name: "one-time codes made and written out, \(name)", rate: median(made),
                limitName: "codes redeemed", limit: median(redeemed)),
        ]
    }

    /// How many customers a second do something once each, sixteen at a time.
    private func rate(
        _ store: Store, _ name: String,
        _ body: @escaping @Sendable (DeviceSession, Int) async throws -> Void
    ) async throws -> Double {
        var devices: [DeviceSession] = []
        for number in 0..<customers {
            devices.append(
                try await store.signIn(
                    SignInRequest(bundleID: Fixture.bundleID, account: "\(name)-\(number)"),
                    in: .production, token: "\(name)-\(number)"))
        }
        let all = devices
        let time = try await seconds {
            try await withThrowingTaskGroup { group in
                for lane in 0..<16 {
                    group.addTask {
                        for number in stride(from: lane, to: all.count, by: 16) {
                            try await body(all[number], number)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(customers) / time
    }
}
