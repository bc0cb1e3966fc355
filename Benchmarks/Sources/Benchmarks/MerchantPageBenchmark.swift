import AppStoreWire
import Logging
import Merchant
import MerchantPages
import Storage
import StoragePostgres
import StorageSQLite
import SubscriptionRules

/// Pages of a merchant a second, and how long they wait, beside an empty route of the same server
/// in the same round: a subscriber's plan in the shop, and a customer on the console.
///
/// What the shop asks a store for is answered at once: the store is not what is measured.
struct MerchantPageBenchmark: Sendable {
    let customers: Int
    let rounds: Int
    /// How many pages of a kind are asked for in each round, and how many empty routes ten times.
    let calls: Int
    /// Of a PostgreSQL database that is measured as well.
    let databaseURL: String?

    /// How many sign in to the shop.
    private static let shoppers = 500

    func run() async throws -> [any Figure] {
        let mail = try MerchantMail()
        var figures: [any Figure] = try await Fixture.withFolder { folder in
            try await measure(try SQLiteDatabase(path: folder + "/merchant.sqlite"), "SQLite", mail)
        }
        guard let databaseURL else { return figures }
        let server = try PostgresDatabase(url: databaseURL, connections: 1)
        let place = try await Fixture.freshSchema(in: server, at: databaseURL)
        await server.close()
        figures += try await measure(try PostgresDatabase(url: place), "PostgreSQL", mail)
        return figures
    }

    private func measure(
        _ database: any Database, _ name: String, _ mail: MerchantMail
    ) async throws -> [PageFigure] {
        // In the third period of everybody.
        let now = Fixture.start + Span.days(70)
        let merchant = try await Merchant(
            database: database, apps: [try mail.setup()], time: { now },
            log: Logger(label: "bench"))
        progress("  \(customers) customers of a merchant on \(name) …")
        let names = try await MerchantCrowd(mail: mail, customers: customers)
            .fill(merchant, database)
        let goods = ShopGoods(try JSONValue(parsing: Array(StillStore.catalogue.utf8)), app: "App")
        let figures = try await Fixture.serveMerchant(
            merchant,
            showPages: { server in
                server.showConsole()
                server.showShop(
                    secret: Fixture.merchantOperatorToken, letsAnybodySignIn: true,
                    store: StillStore(sold: goods))
            },
            { port in
                try await PageRounds(port: port, rounds: rounds, calls: calls)
                    .measure(Self.kinds(of: names, port), "a merchant on \(name)")
            })
        await database.close()
        return figures
    }

    private static func kinds(of names: [String], _ port: Int) -> [PageRounds.Kind] {
        let cookie = PageSession.begin(
            at: "/console/sign-in", ["token": Fixture.merchantOperatorToken], port: port)
        let distance = max(1, names.count / shoppers)
        let plans = stride(from: 0, to: names.count, by: distance).prefix(shoppers).map { place in
            PageSession.request(
                "/shop/plan",
                PageSession.begin(
                    at: "/shop/sign-in",
                    ["app": Fixture.bundleID, "account": names[place]], port: port))
        }
        return [
            PageRounds.Kind(name: "the plan in the shop", requests: plans),
            PageRounds.Kind(
                name: "the merchant's list of customers",
                requests: [PageSession.request("/console/customers", cookie)]),
            PageRounds.Kind(
                name: "a customer of the merchant",
                requests: names.map {
                    PageSession.request("/console/customers/\(Fixture.bundleID)/\($0)", cookie)
                }),
        ]
    }
}

/// A store that answers the shop at once.
private struct StillStore: ShopStore {
    let sold: ShopGoods

    static let catalogue = """
        {"storefront":"USA","currency":"USD","canMakePayments":true,"products":[{"id":\
        "club.monthly","type":"Auto-Renewable Subscription","displayName":"Club","description":\
        "Everything, each month.","price":9990,"currency":"USD","familyShareable":false,\
        "subscription":{"groupId":"club","groupDisplayName":"Club","level":1,"period":"P1M"}}]}
        """

    func home(of account: String) async throws -> ShopHome { ShopHome(storefront: "USA") }

    func goods(
        of bundleID: String, for home: ShopHome, language: String
    ) async throws -> ShopGoods { sold }

    func signedTransactions(of account: String, in bundleID: String) async throws -> [String] {
        []
    }

    func origin(reachedBy authority: String?) -> String { "http://127.0.0.1:8080" }
}
