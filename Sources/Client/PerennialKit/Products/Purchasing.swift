import AppStoreSigning
import AppStoreWire
import FoundationEssentials

extension Product {
    /// Buys this product. A subscription of a group in which the customer has one is a change of
    /// plan; a non-consumable that is owned is delivered again without payment.
    ///
    /// What is bought here comes as the result and not in ``Transaction/updates(in:)``. If the
    /// answer is lost, the purchase is asked for again under the same key, by this call, by the
    /// next one that buys the same, and by the session, also after a restart of the app.
    ///
    /// - Throws: ``PurchaseError`` where the store refused for one of its reasons, else
    ///   ``StoreKitError``.
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        let options = PurchaseOptions(options)
        guard (1...10).contains(options.quantity ?? 1) else { throw PurchaseError.invalidQuantity }
        guard await session.configuration.confirmPurchase(self) else { return .userCancelled }
        var json = JSONWriter()
        json.object { json in
            json.field("productId", id)
            options.write(to: &json)
        }
        return try await session.buy(
            "/storefront/v1/purchases", productID: id, body: json.bytes,
            key: options.idempotencyKey)
    }
}

extension StoreSession {
    /// Redeems a code, as a purchase is made.
    func redeem(
        _ code: String, _ options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        let options = PurchaseOptions(options)
        var json = JSONWriter()
        json.object { json in
            json.field("code", code)
            json.field("appAccountToken", options.appAccountToken)
        }
        return try await buy(
            "/storefront/v1/redemptions", productID: nil, body: json.bytes,
            key: options.idempotencyKey)
    }

    /// Writes down what is to be bought, asks until there is an answer or no more patience, and
    /// takes what was bought into the queue before anybody hears of it.
    fileprivate func buy(
        _ path: String, productID: String?, body: [UInt8], key: String?
    ) async throws -> Product.PurchaseResult {
        let (account, token) = try keeper.signedInAccount()
        // What becomes of it later is news, counted from before it. Where that cannot be had, the
        // purchase is no worse.
        if keeper.current.isBeginning { try? await listener.catchUp() }
        let (purchase, wasSent) = try keeper.beginPurchase(
            AwaitedPurchase(
                key: key ?? configuration.chance.identifier(), path: path, productID: productID,
                body: String(decoding: body, as: UTF8.self), begun: configuration.clock.now),
            hasOwnKey: key != nil)
        var mayHaveActed = wasSent
        do throws(StoreKitError) {
            let answer = try await exchange.send(
                "POST", StorePath(path), as: token, key: purchase.key,
                body: Array(purchase.body.utf8),
                failed: { mayHaveActed = mayHaveActed || $0.mayHaveActed })
            let outcome = try await PurchaseOutcome(answer, reader)
            guard outcome.isTrusted else {
                // Asked about again later: what is true comes then.
                keeper.leavePurchase(purchase)
                return outcome.result(in: self)
            }
            try keeper.settle(
                purchase, bought: outcome.toBeQueued(at: configuration.clock.now), isCalled: true,
                account: account)
            return outcome.result(in: self)
        } catch {
            if case .refused(let refusal) = error {
                try keeper.settle(purchase, isCalled: true, account: account)
                // It is made once the customer has settled something.
                if refusal.code == "purchaseInterrupted" { return .pending }
                if let known = Product.PurchaseError(code: refusal.code) { throw known }
                throw error
            }
            guard mayHaveActed || error.mayHaveActed else {
                // Nothing was bought, and nothing will be.
                try keeper.settle(purchase, isCalled: true, account: account)
                throw error
            }
            keeper.leavePurchase(purchase)
            if case .notSignedIn = error { throw error }
            throw StoreKitError.purchaseOutcomeUnknown(key: purchase.key)
        }
    }
}

/// What a store answered to a purchase.
struct PurchaseOutcome: Sendable {
    private let isPending: Bool
    private let isDeliveredAgain: Bool
    private let bought: (JWSTransactionDecodedPayload, JWSVerificationError?, jws: String)?

    init(_ answer: JSONValue, _ reader: SignedReader) async throws(StoreKitError) {
        switch try answer.requiredText("result", "the answer to a purchase") {
        case "success": isPending = false
        case "pending": isPending = true
        case let other: throw .invalidResponse("a purchase came to \(other.prefix(32))")
        }
        isDeliveredAgain = answer["deliveredAgain"]?.bool ?? false
        guard let jws = answer["signedTransactionInfo"]?.string else {
            bought = nil
            return
        }
        let (payload, error) = try await reader.transaction(jws)
        bought = (payload, error, jws)
    }

    /// Whether what came is verified, if anything came.
    var isTrusted: Bool { bought?.1 == nil }

    /// What waits to be finished from now on; not what was delivered before.
    ///
    /// - Parameter now: by the session's clock, in UNIX milliseconds.
    func toBeQueued(at now: Int64) -> ReceivedTransaction? {
        guard let bought, !isDeliveredAgain else { return nil }
        return ReceivedTransaction(bought.0, jws: bought.jws, kind: .new, at: now)
    }

    func result(in session: StoreSession) -> Product.PurchaseResult {
        if let bought {
            return .success(
                Transaction.result(bought.0, bought.1, jws: bought.jws, session: session))
        }
        return isPending ? .pending : .scheduled
    }
}

/// Options in the order in which they are sent, so that the same purchase is the same bytes.
private struct PurchaseOptions {
    private(set) var appAccountToken: String?
    private(set) var idempotencyKey: String?
    private(set) var quantity: Int?
    private var offer: Product.PurchaseOption.Offer?
    private var billingPlan: BillingPlanType?
    private var advancedCommerce: String?

    init(_ options: Set<Product.PurchaseOption>) {
        for option in options.sorted(by: { "\($0.kind)" < "\($1.kind)" }) {
            switch option.kind {
            case .appAccountToken(let token): appAccountToken = token.uuidString.lowercased()
            case .quantity(let count): quantity = count
            case .offer(let claim): offer = claim
            case .billingPlan(let plan): billingPlan = plan
            case .advancedCommerce(let data): advancedCommerce = data
            case .idempotencyKey(let key): idempotencyKey = key
            }
        }
    }

    func write(to json: inout JSONWriter) {
        json.field("quantity", quantity)
        json.field("billingPlanType", billingPlan)
        json.field("appAccountToken", appAccountToken)
        if let offer { json.object("offer") { offer.write(to: &$0) } }
        if let advancedCommerce {
            json.object("advancedCommerce") { $0.field("jws", advancedCommerce) }
        }
    }
}

extension Product.PurchaseOption.Offer {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .introductory(let jws):
            json.field("type", "introductory")
            json.field("jws", jws)
        case .promotional(let id, let jws):
            json.field("type", "promotional")
            json.field("id", id)
            json.field("jws", jws)
        case .signed(let id, let keyID, let nonce, let signature, let timestamp):
            json.field("type", "promotional")
            json.field("id", id)
            json.field("keyId", keyID)
            json.field("nonce", nonce)
            json.field("signature", signature)
            json.field("timestamp", timestamp)
        case .winBack(let id):
            json.field("type", "winBack")
            json.field("id", id)
        }
    }
}
