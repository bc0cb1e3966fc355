import AppStoreWire
import Foundation
import Storage
import StoragePostgres
import StorageSQLite
import Store
import SubscriptionRules

/// Prices that a merchant changes (ACP-1): calls over HTTP beside an authenticated route that looks
/// nothing up, and changes of every subscription of a store, which then renew at them, beside the
/// renewals of the month before, which change nothing.
struct MerchantPriceBenchmark {
    let subscribers: Int
    let rounds: Int
    /// How many calls are made over HTTP in each round.
    let calls: Int
    let databaseURL: String?

    private static let connections = 16
    private static let generic = "generic.subscription"

    func run() async throws -> [any Figure] {
        var figures = try await Fixture.withFolder { folder in
            try await measure(try SQLiteDatabase(path: folder + "/store.sqlite"), "SQLite")
        }
        guard let databaseURL else { return figures }
        let server = try PostgresDatabase(url: databaseURL, connections: 1)
        let place = try await Fixture.freshSchema(in: server, at: databaseURL)
        await server.close()
        figures += try await measure(try PostgresDatabase(url: place), "PostgreSQL")
        return figures
    }

    private func measure(_ database: any Database, _ name: String) async throws -> [any Figure] {
        let store = try await Fixture.store(database, chain: Fixture.chain())
        try await sellItems(in: store)
        progress("  \(subscribers) subscribers of three items each on \(name) …")
        let ids = try await subscribe(to: store, database)
        let month = CalendarStep(iso8601: "P1M")!
        var (scheduled, renewed, unchanged): ([Double], [Double], [Double]) = ([], [], [])
        for round in 1...rounds {
            progress("  round \(round): renewals, \(ids.count) price changes, renewals …")
            unchanged.append(try await renewals(of: store, by: month))
            let time = try await seconds {
                try await inLanes(ids) { id, index in
                    _ = try await store.changePrices(
                        transaction: id, Self.request(round, index),
                        for: Caller(bundleID: Fixture.bundleID, environment: .production))
                }
            }
            scheduled.append(Double(ids.count) / time)
            renewed.append(try await renewals(of: store, by: month))
        }
        let requests = try await Fixture.serve(store) { port, token in
            try await load(port, token, ids, name)
        }
        await database.close()
        return requests + [
            Result(
                name: "renewals of three items at new prices on \(name)", rate: median(renewed),
                limitName: "renewals of the same at the old ones", limit: median(unchanged)),
            Result(
                name: "prices of two items changed on \(name)", rate: median(scheduled),
                limitName: "renewals of the same", limit: median(unchanged)),
        ]
    }

    /// A product of the catalogue that stands for whatever the merchant describes.
    private func sellItems(in store: Store) async throws {
        try await store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "generic", referenceName: "Generic")],
                products: [
                    Product(
                        id: Self.generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month))
                ]), bundleID: Fixture.bundleID)
        try await store.setGeneric(true, product: Self.generic, bundleID: Fixture.bundleID)
        try await store.configure(bundleID: Fixture.bundleID) {
            $0.priceChangeRoute = .merchantManaged
        }
    }

    /// - Returns: the first transaction of each subscription.
    private func subscribe(
        to store: Store, _ database: any Database
    ) async throws -> [Int64] {
        try await inLanes(Array(0..<Int64(subscribers))) { _, index in
            let device = try await store.signIn(
                SignInRequest(bundleID: Fixture.bundleID, account: "reader-\(index)"),
                in: .production, token: "token-\(index)")
            var purchase = PurchaseRequest(productID: Self.generic)
            purchase.advancedCommerce = SignedInAppRequest(
                nonce: Self.reference(0, index), .createSubscription(Self.create(index)))
            _ = try await store.buy(purchase, by: device)
        }
        return try await database.read { session in
            try session.rows("SELECT id FROM subscription ORDER BY id").map { try $0.integer(0) }
        }
    }

    /// Does something with each of some numbers, sixteen at a time.
    private func inLanes(
        _ ids: [Int64], _ body: @escaping @Sendable (Int64, Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<Self.connections {
                group.addTask {
                    for index in stride(from: lane, to: ids.count, by: Self.connections) {
                        try await body(ids[index], index)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Returns: how many renewals a second a month has.
    private func renewals(of store: Store, by month: CalendarStep) async throws -> Double {
        var changes = 0
        let time = try await seconds { changes = try await store.advance(by: month).changes }
        precondition(changes >= subscribers, "only \(changes) of \(subscribers) renewed")
        return Double(changes) / time
    }

    private func load(
        _ port: Int, _ token: String, _ ids: [Int64], _ name: String
    ) async throws -> [any Figure] {
        var (empties, changes): ([RequestFigure.Round], [RequestFigure.Round]) = ([], [])
        for round in 1...rounds {
            progress("  round \(round): calls …")
            let signatures = SignatureBenchmark.rateOfAllProcessors()
            let empty = try await Load(
                port: port, connections: Self.connections, total: calls
            ) { _ in
                "GET /connect/v1/clock HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(Fixture.operatorToken)\r\n\r\n"
            }.run()
            empties.append(RequestFigure.Round(outcome: empty, bound: empty.rate))
            let outcome = try await Load(
                port: port, connections: Self.connections, total: calls
            ) { [rounds] index in
                Self.call(
                    ids[index % ids.count], token,
                    Self.request(rounds + round, index).jsonBytes())
            }.run()
            // An answer has a transaction and renewal info, both signed.
            changes.append(
                RequestFigure.Round(
                    outcome: outcome, bound: 1 / (1 / empty.rate + 2 / signatures)))
        }
        return [
            RequestFigure("an authenticated route that looks nothing up beside \(name)", empties),
            RequestFigure("price changes over HTTP on \(name)", changes),
        ]
    }

    // MARK: What the merchant sends

    private static func call(_ id: Int64, _ token: String, _ body: [UInt8]) -> String {
        "POST /advancedCommerce/v1/subscription/changePrice/\(id) HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self)
    }

    private static func request(
        _ round: Int, _ index: Int
    ) -> AdvancedCommerceSubscriptionPriceChangeRequest {
        AdvancedCommerceSubscriptionPriceChangeRequest(
            requestInfo: AdvancedCommerceRequestInfo(requestReferenceId: reference(round, index)),
            currency: "USD",
            items: ["news", "chess"].map {
                AdvancedCommerceSubscriptionPriceChangeItem(
                    sku: $0, price: 4_990 + Int64(round) * 100)
            })
    }

    private static func create(_ index: Int) -> AdvancedCommerceSubscriptionCreateRequest {
        AdvancedCommerceSubscriptionCreateRequest(
            requestInfo: AdvancedCommerceRequestInfo(requestReferenceId: reference(0, index)),
            currency: "USD", taxCode: "C003-00-1",
            descriptors: AdvancedCommerceDescriptors(
                displayName: "The paper", description: "News and more"),
            period: .oneMonth,
            items: ["news", "chess", "sport"].map {
                AdvancedCommerceSubscriptionCreateItem(
                    sku: $0, displayName: "The \($0)", description: "All of \($0)", price: 4_990)
            })
    }

    /// A UUID of its own for each request.
    private static func reference(_ round: Int, _ index: Int) -> String {
        String(format: "%08x-0000-4000-8000-%012x", round, index)
    }
}
