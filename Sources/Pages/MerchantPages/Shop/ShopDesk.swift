import AppStoreWire
import ConnectAnswers
import HTTPSurface
import HTTPTypes
import MerchantHTTP
import SubscriptionRules

/// Where the shop asks the merchant, as the app of one customer.
struct ShopDesk: Sendable {
    let call: Call<MerchantSite>
    let session: ShopSession

    private var account: [String] {
        ["v1", "apps", session.bundleID, "accounts", session.account]
    }

    private var merchant: MerchantDesk {
        MerchantDesk(call: call, caller: .app(session.bundleID))
    }

    /// What the customer has.
    func holdings() async throws -> Holdings {
        try Holdings(try await merchant.get(StorePath(parts: account)))
    }

    /// The price sheets that are open, the oldest first.
    ///
    /// - Parameter withSeen: also those that were closed and do not come back by themselves yet.
    func sheets(withSeen: Bool = false) async throws -> [OpenSheet] {
        let path = StorePath(parts: account + ["sheets"])
            .with("seen", withSeen ? "true" : nil)
        let answer = try await merchant.get(path).value
        return (answer["sheets"]?.array ?? []).compactMap { OpenSheet($0) }
    }

    /// Says what the customer did with a sheet.
    func answer(_ action: String, sheet id: Int64) async throws {
        let path = StorePath(parts: account + ["sheets", String(id)])
        _ = try await merchant.send(.post, path) { $0.field("action", action) }
    }

    /// Sends a purchase as the app does.
    func take(_ signedTransaction: String) async throws {
        let path = StorePath("v1", "apps", session.bundleID, "transactions")
        _ = try await merchant.send(.post, path) { json in
            json.field("account", session.account)
            json.field("signedTransaction", signedTransaction)
            json.field("restore", true)
        }
    }
}

/// What a customer has, as the merchant tells an app.
struct Holdings: Sendable {
    /// When it was judged.
    let now: Instant
    let entitlements: [Entitlement]
    let subscriptions: [Subscription]
    /// Products of all purchases, whatever became of them.
    let products: Set<String>

    /// Whether something is unlocked.
    struct Entitlement: Sendable {
        let id: String
        let isGranted: Bool
        let reason: String
        let productID: String
        let isShared: Bool
        let until: Instant?
    }

    /// An auto-renewable subscription.
    struct Subscription: Sendable {
        let id: String
        let productID: String
        let status: String
        let isShared: Bool
        let until: Instant?
        /// Nil where the store has not said it yet.
        let renews: Bool?
        /// The product of the next period; nil where none follows.
        let nextProductID: String?
        /// What the running period has cost and what the next one will, in milliunits; nil where
        /// nobody has said so.
        let price: Int64?
        let nextPrice: Int64?
        let currency: String?

        /// Whether it runs, or the store still tries to be paid for it (SHP-3).
        var isAlive: Bool {
            ["active", "gracePeriod", "awaitingRenewal", "billingRetry"].contains(status)
        }
    }

    fileprivate init(_ answer: Answer) throws {
        let value = answer.value
        func moment(_ value: JSONValue?) -> Instant? {
            value?.string.flatMap { Instant(iso8601: $0) }
        }
        guard let now = moment(value["asOf"]) else {
            throw answer.lacks("asOf")
        }
        self.now = now
        entitlements = (value["entitlements"]?.array ?? []).compactMap { one in
            guard let id = one["id"]?.string, let product = one["productId"]?.string else {
                return nil
            }
            return Entitlement(
                id: id, isGranted: one["granted"]?.bool ?? false,
                reason: one["reason"]?.string ?? "", productID: product,
                isShared: one["ownership"]?.string == "shared", until: moment(one["until"]))
        }
        subscriptions = (value["subscriptions"]?.array ?? []).compactMap { one in
            guard let id = one["originalTransactionId"]?.string,
                let product = one["productId"]?.string
            else { return nil }
            return Subscription(
                id: id, productID: product, status: one["status"]?.string ?? "",
                isShared: one["ownership"]?.string == "shared", until: moment(one["until"]),
                renews: one["willRenew"]?.bool, nextProductID: one["nextProductId"]?.string,
                price: one["price"]?.integer, nextPrice: one["nextPrice"]?.integer,
                currency: one["currency"]?.string)
        }
        products = Set(
            (value["purchases"]?.array ?? []).compactMap { $0["productId"]?.string })
    }
}

/// A price sheet that waits for an answer.
struct OpenSheet: Sendable {
    let id: Int64
    let subscription: String
    /// `notice`, `consent` or `koreanConversion`.
    let occasion: String
    let title: String
    let body: String
    let items: [String]
    let oldPrice: Int64
    let newPrice: Int64
    let currency: String
    let date: Instant
    let answerBy: Instant?
    /// What silence leads to: `newPrice`, `oldPrice` or `ends`.
    let withoutAnswer: String
    /// What it offers, in order.
    let buttons: [String]

    /// Whether it asks for consent, else it tells.
    var asks: Bool { buttons.contains("agree") }
    var isConversion: Bool { occasion == "koreanConversion" }

    init?(_ value: JSONValue) {
        guard let id = value["id"]?.integer,
            let subscription = value["originalTransactionId"]?.string,
            let occasion = value["occasion"]?.string,
            let oldPrice = value["oldPrice"]?.integer, let newPrice = value["newPrice"]?.integer,
            let date = value["renewal"]?.string.flatMap({ Instant(iso8601: $0) })
        else { return nil }
        self.id = id
        self.subscription = subscription
        self.occasion = occasion
        self.oldPrice = oldPrice
        self.newPrice = newPrice
        self.date = date
        title = value["title"]?.string ?? ""
        body = value["body"]?.string ?? ""
        items = value["items"]?.array?.compactMap(\.string) ?? []
        currency = value["currency"]?.string ?? ""
        answerBy = value["answerBy"]?.string.flatMap { Instant(iso8601: $0) }
        withoutAnswer = value["withoutAnswer"]?.string ?? ""
        buttons = value["buttons"]?.array?.compactMap(\.string) ?? []
    }
}
