import AppStoreSigning
import AppStoreWire
import HummingbirdTesting
import Logging
import Mail
import Merchant
import MerchantRules
import Push
import Storage
import Store
import StoreHTTP
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// A relay that takes every mail, unless it is away, and counts what it was given.
final class TakingRelay: MailRelay, PushService {
    private struct State {
        var isAway = false
        var complaint: RelayReply?
        var taken: [String] = []
        var pushed: [String] = []
        var asked = 0
    }

    private let state = Mutex(State())

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// What it says while it is away; nil where it cannot be reached.
    var complaint: RelayReply? {
        get { state.withLock { $0.complaint } }
        set { state.withLock { $0.complaint = newValue } }
    }

    /// The Message-ID or `apns-id` of everything that was taken, in order.
    var taken: [String] { state.withLock { $0.taken } }

    /// The JSON of every push that was taken, in order.
    var pushed: [String] { state.withLock { $0.pushed } }

    /// How often it was given something.
    var asked: Int { state.withLock { $0.asked } }

    private func take(_ name: String) -> Bool {
        state.withLock { state in
            state.asked += 1
            if !state.isAway { state.taken.append(name) }
            return !state.isAway
        }
    }

    func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome {
        let text = String(decoding: message, as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Message-ID:") }
        return take(String(line ?? ""))
            ? .delivered(RelayReply(code: 250, text: "taken"))
            : .postponed(complaint.map { .reply($0) } ?? .noConnection)
    }

    func send(_ push: Push) async -> PushOutcome {
        guard take(push.id) else { return .retry(after: .zero, .noConnection) }
        let payload = String(decoding: push.payload, as: UTF8.self)
        state.withLock { $0.pushed.append(payload) }
        return .sent(apnsID: push.id)
    }
}

/// A merchant that sells what it describes itself and tells of prices itself, beside its store.
struct PriceWorld: Sendable {
    let world: World
    let database: any Database
    let merchant: Merchant
    let relay: TakingRelay
    private let api: ServerAPI

    private static let generic = "generic.subscription"
    private static let key = {
        var chance = SeededGenerator(seed: 1)
        return APIKey.generate(using: &chance, issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }()

    /// Serves a store and a merchant that asks it, as long as the body takes.
    ///
    /// - Parameter database: the merchant's.
    static func run(
        _ backend: Backend, in database: (any Database)? = nil, at start: String = "2026-01-15",
        _ body: @escaping @Sendable (PriceWorld) async throws -> Void
    ) async throws {
        let world = try await World(backend, at: start)
        try await world.store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "generic", referenceName: "Generic")],
                products: [
                    Product(
                        id: generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month))
                ]), bundleID: World.bundleID)
        try await world.store.setGeneric(true, product: generic, bundleID: World.bundleID)
        try await world.store.configure(bundleID: World.bundleID) {
            $0.priceChangeRoute = .merchantManaged
        }
        let server = StoreServer(
            store: world.store,
            tokenVerifier: RequestTokenVerifier(
                keys: [key.keyID: VerificationKey(key)], issuerID: key.issuerID),
            operatorToken: "operator-0123456789abcdef", log: Logger(label: "test"))
        let kept: any Database
        if let database {
            kept = database
        } else {
            kept = try await backend.borrowDatabase(for: .merchant)
        }
        try await server.application(for: .production, port: 0).test(.live) { http in
            let port = try #require(http.port)
            let api = ServerAPI(
                urls: [.production: "http://127.0.0.1:\(port)"], key: key)
            let relay = TakingRelay()
            let merchant = try await open(kept, of: world, asking: api, relay)
            try await body(
                PriceWorld(
                    world: world, database: kept, merchant: merchant, relay: relay, api: api))
        }
    }

    /// The next process, after this one has died: nobody has what it had to itself.
    func reopened() async throws -> PriceWorld {
        try await database.write { session in try session.execute("DELETE FROM claim") }
        let next = try await Self.open(database, of: world, asking: api, relay)
        return PriceWorld(
            world: world, database: database, merchant: next, relay: relay, api: api)
    }

    /// A merchant in a database, which may know something already.
    private static func open(
        _ database: any Database, of world: World, asking api: ServerAPI, _ relay: TakingRelay
    ) async throws -> Merchant {
        let merchant = try await MerchantWorld.merchant(in: database, of: world, asking: api)
        merchant.use(
            CampaignMeans(
                read: { _, _ in Self.definition }, mail: relay,
                push: [.production: relay, .sandbox: relay]))
        return merchant
    }

    /// `news` rises from 9.99 to 10.99, of which customers are told; `chess` from 9.99 to 19.99,
    /// to which they must agree.
    static let definition: CampaignDefinition = {
        let prices: [String: Int64] = ["USA": 10_990]
        let high: [String: Int64] = ["USA": 19_990]
        let text = CampaignText("You pay {oldPrice} now, and {newPrice} from {date}.")
        let title = CampaignText("Your price changes")
        return CampaignDefinition(
            .price(
                PriceCampaign(
                    name: "spring", bundleID: World.bundleID, route: .merchantManaged,
                    targets: ["news": prices, "chess": high],
                    live: World.instant("2026-01-16"), whenSilent: .keepOldPrice)),
            texts: CampaignTexts(
                mail: CampaignTexts.Mail(
                    from: "news@example.com", subject: title, text: text),
                sheet: CampaignTexts.Sheet(title: title, body: text),
                push: CampaignTexts.Push(title: title, body: text, url: "example:price")))
    }()

    /// An account buys an item for 9.99 a period, and can be reached on every channel.
    ///
    /// - Returns: the original transaction.
    @discardableResult
    func subscribe(
        _ account: String, to sku: String, _ period: AdvancedCommercePeriod = .oneMonth,
        number: Int
    ) async throws -> String {
        let tail = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        let request = AdvancedCommerceSubscriptionCreateRequest(
            requestInfo: AdvancedCommerceRequestInfo(
                requestReferenceId: "00000000-0000-4000-8000-\(tail)"),
            currency: "USD", taxCode: "C003-00-1",
            descriptors: AdvancedCommerceDescriptors(
                displayName: "The paper", description: "News and more"),
            period: period,
            items: [
                AdvancedCommerceSubscriptionCreateItem(
                    sku: sku, displayName: "The \(sku)", description: "All of it", price: 9_990)
            ])
        var purchase = PurchaseRequest(productID: Self.generic)
        purchase.advancedCommerce = SignedInAppRequest(
            nonce: "nonce \(number)", .createSubscription(request))
        let device = try await world.device(account)
        let signed = try #require(
            try await world.store.buy(purchase, by: device).signedTransaction)
        _ = try await merchant.take(transaction: signed, from: account, of: World.bundleID)
        let token = try #require(
            PushToken(String(repeating: "0\(number % 10)", count: 32), environment: .production))
        _ = try await merchant.setContact(
            AccountContact(email: "\(account)@example.com", pushTokens: [token]),
            of: account, in: World.bundleID)
        try await deliver()
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return bought.transactionId
    }

    /// Hands over what the store has sent, and lets campaigns do what is due.
    func deliver() async throws {
        try await take()
        try await merchant.workOnCampaigns()
    }

    /// Hands over what the store has sent.
    func take() async throws {
        try await world.store.settle()
        for arrival in world.listener.takeArrivals() {
            _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
        }
        try await merchant.settle()
    }

    @discardableResult
    func start() async throws -> CampaignRun {
        try await merchant.start(Self.definition, file: "spring", attachments: [:])
    }

    /// Moves the clock from moment to moment, as `perennial advance` does.
    func advance(to end: String) async throws {
        let end = World.instant(end)
        while true {
            let now = try await merchant.now()
            guard now < end else { return }
            let due = try await merchant.nextCampaignMoment() ?? end
            let soon = due > now ? due : now + .hours(1)
            let next = min(end, now + .days(1), soon)
            _ = try await world.store.advance(to: next)
            try await deliver()
        }
    }

    /// What a customer does with the first sheet that there is, be it closed already.
    func tap(_ action: PriceSheet.Action, _ account: String) async throws {
        let sheet = try #require(
            try await merchant.sheets(of: account, in: World.bundleID, withSeen: true).first)
        _ = try await merchant.answer(action, sheet: sheet.id, of: account, in: World.bundleID)
        try await deliver()
    }

    /// How far the campaign is with a subscription.
    func subscriber(_ original: String) async throws -> CampaignSubscriberReport {
        try #require(
            try await merchant.campaignSubscribers(
                "spring", of: World.bundleID,
                CampaignFilter(originalTransactionID: original), limit: 1
            ).first)
    }

    /// When messages to a subscription were sent, such as `2026-01-16 mail`.
    func sent(_ original: String) async throws -> [String] {
        try await merchant.campaignMessages(
            "spring", of: World.bundleID, originalTransactionID: original, limit: 1000
        ).compactMap { one in
            one.sent.map { "\($0.iso8601.prefix(10)) \(one.channel)" }
        }
    }
}
