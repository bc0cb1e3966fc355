import Account
import AppStoreWire
import ConnectAnswers
import Console
import HTMLPages
import MerchantPages
import NIOHTTP1
import Store
import StoreHTTP
import SubscriptionRules
import Synchronization

/// The store beside a merchant, as the shop and the demonstration ask it: over its own interfaces,
/// as an app and an operator would.
final class StoreBeside: DemoHost {
    private let plan: ServePlan
    private let operatorToken: String
    private let port = Mutex<Int?>(nil)

    init(_ plan: ServePlan, operatorToken: String) {
        self.plan = plan
        self.operatorToken = operatorToken
    }

    /// Production answers at a port.
    func heard(_ port: Int) { self.port.withLock { $0 = port } }

    func origin(reachedBy authority: String?) -> String {
        let port = port.withLock { $0 } ?? plan.port
        guard let host = PageFramers.host(of: authority) else { return plan.url(ofPort: port) }
        return "http://\(host):\(port)"
    }

    // MARK: What the shop asks

    func home(of account: String) async throws -> ShopHome {
        let found = try await unless(refused: "unknownAccount") {
            try await client.get(StorePath("connect", "v1", "customers", account))
        }
        guard let found else { return ShopHome() }
        return ShopHome(
            storefront: try found.text("storefront"), locale: try found.text("locale"),
            canPay: found.value["canMakePayments"]?.bool ?? true)
    }

    func goods(
        of bundleID: String, for home: ShopHome, language: String
    ) async throws -> ShopGoods {
        let app = try await client.get(StorePath("connect", "v1", "apps", bundleID))
        let path = StorePath("storefront", "v1", "products").with("bundleId", bundleID)
            .with("storefront", home.storefront).with("locale", language)
        let products = try await client.ask(.GET, path, nil, token: nil)
        let name = app.optionalText("name") ?? bundleID
        var goods = ShopGoods(products.harmless, app: name)
        // An app that nobody has named is called after what it sells.
        if name == bundleID, let group = goods.groupName { goods.app = group }
        return goods
    }

    /// Of each purchase the newest transaction: the merchant hears of the others by notifications.
    func signedTransactions(of account: String, in bundleID: String) async throws -> [String] {
        let token = try await client.signIn(account, in: bundleID)
        var newest: [String: String] = [:]
        var order: [String] = []
        var last: String?
        while true {
            let path = StorePath("storefront", "v1", "transactions").with("after", last)
            let page = try await client.ask(.GET, path, nil, token: token)
            let found = try page.list("transactions")
            for one in found {
                guard let payload = one.payload("signedTransactionInfo") else { continue }
                let transaction = Answer(value: payload, source: path.text)
                let original = try transaction.text("originalTransactionId")
                if newest[original] == nil { order.append(original) }
                newest[original] = try one.text("signedTransactionInfo")
                last = try transaction.text("transactionId")
            }
            guard try page.bool("hasMore"), !found.isEmpty else { break }
        }
        return order.compactMap { newest[$0] }
    }

    // MARK: What the demonstration asks besides

    func customers(_ most: Int) async throws -> [String] {
        let path = StorePath("connect", "v1", "customers").with("limit", String(most))
        return try await client.get(path).list("customers").map { try $0.text("account") }
    }

    func now() async throws -> Instant {
        try await client.get(StorePath("connect", "v1", "clock")).moment("now")
    }

    func advance(to moment: Instant) async throws {
        _ = try await client.send(.POST, StorePath("connect", "v1", "clock", "advance")) { json in
            json.field("to", moment.iso8601)
        }
    }

    func cookies(
        for account: String, in bundleID: String, machineTime: Instant
    ) -> [String] {
        let customer = StoreSite.Account(account, bundleID: bundleID)
        return [
            ConsoleAccess(operatorToken: operatorToken).begin(now: machineTime),
            AccountAccess(secret: operatorToken, letsAnybodySignIn: false)
                .begin(as: customer, at: .production, now: machineTime),
        ]
    }

    private var client: StoreClient {
        StoreClient(
            StoreAddress(
                url: plan.url(ofPort: port.withLock { $0 } ?? plan.port),
                operatorToken: operatorToken))
    }
}
