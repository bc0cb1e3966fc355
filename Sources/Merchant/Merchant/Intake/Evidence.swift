import AppStoreSigning
import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

/// What one message proves of a purchase: verified, and of one environment.
struct Evidence: Sendable {
    let environment: MerchantEnvironment
    /// The one that the message is about comes last: a receipt tells of all at once.
    var transactions: [TransactionRecord] = []
    var renewal: RenewalRecord?
    /// The purchase; nil where the message is about none.
    var originalTransactionID: String?
    /// Whose it is, as the app said when it was bought.
    var appAccountToken: String?
    /// What it tells of an extended renewal date; nil where it tells of something else.
    var extensionNews: ExtensionNews?

    /// The transaction that the message is about.
    var transaction: TransactionRecord? { transactions.last }

    /// What a notification proves. The signed texts in it are verified each by itself.
    ///
    /// - Throws: `JWSVerificationError`.
    init(
        _ letter: WaitingLetter, verifiedBy setup: AppSetup
    ) async throws(JWSVerificationError) {
        environment = letter.environment
        let verifier = setup.verifier(in: letter.environment)
        let payload = try await verifier.verifyNotification(letter.body)
        extensionNews = ExtensionNews(payload)
        if let text = payload.data?.signedTransactionInfo {
            take(try await verifier.verifyTransaction(text), text, from: letter.uuid)
        }
        if let text = payload.data?.signedRenewalInfo {
            let info = try await verifier.verifyRenewalInfo(text)
            renewal = RenewalRecord(info, text, source: letter.uuid)
            originalTransactionID = originalTransactionID ?? info.originalTransactionId
        }
    }

    /// What a signed transaction proves that an app has sent, or the store has answered.
    ///
    /// - Throws: `JWSVerificationError`.
    init(
        transaction text: String, from source: String = "app", verifiedBy setup: AppSetup
    ) async throws(JWSVerificationError) {
        let (environment, payload) = try await setup.verify {
            verifier throws(JWSVerificationError) in
            try await verifier.verifyTransaction(text)
        }
        self.environment = environment
        take(payload, text, from: source)
    }

    /// What the store answers of a subscription that it was asked for.
    ///
    /// - Throws: `JWSVerificationError`.
    init(
        transaction: String, renewal text: String, in environment: MerchantEnvironment,
        verifiedBy setup: AppSetup
    ) async throws(JWSVerificationError) {
        self.environment = environment
        let verifier = setup.verifier(in: environment)
        take(try await verifier.verifyTransaction(transaction), transaction, from: "api")
        renewal = RenewalRecord(try await verifier.verifyRenewalInfo(text), text, source: "api")
    }

    /// What the store answers of a transaction that it was asked for.
    ///
    /// - Throws: `JWSVerificationError`.
    init(
        answered text: String, in environment: MerchantEnvironment, verifiedBy setup: AppSetup
    ) async throws(JWSVerificationError) {
        self.environment = environment
        take(
            try await setup.verifier(in: environment).verifyTransaction(text), text, from: "api")
    }

    private mutating func take(
        _ payload: JWSTransactionDecodedPayload, _ text: String, from source: String
    ) {
        transactions = [TransactionRecord(payload, text, source: source)]
        originalTransactionID = payload.originalTransactionId
        // A UUID in either case is the same one.
        appAccountToken = payload.appAccountToken?.lowercased()
    }

    /// Puts it into the registers, where nothing newer is there, and gives the next
    /// version to each account that has the purchase.
    ///
    /// - Returns: the purchase; nil where it is about none.
    func keep(
        of app: Int64, at now: Instant, _ session: any Session
    ) throws(StorageError) -> PurchaseRow? {
        guard var purchase = try enterRegisters(of: app, session) else { return nil }
        try assign(&purchase, of: app, at: now, session)
        return purchase
    }

    /// Puts it into the registers, where nothing newer is there; the purchase's row is locked.
    ///
    /// - Returns: the purchase; nil where it is about none.
    func enterRegisters(
        of app: Int64, _ session: any Session
    ) throws(StorageError) -> PurchaseRow? {
        guard let originalTransactionID else { return nil }
        try checkStorable()
        var purchase = try PurchaseRow.ensure(
            originalTransactionID, of: app, environment, session)
        let known = try TransactionRecord.known(of: purchase.id, besides: transactions, session)
        for var transaction in transactions {
            transaction.purchase = purchase.id
            if try transaction.enter(besides: known, session) { purchase.hasChanged = true }
        }
        if purchase.hasChanged, transactions.contains(where: { $0.facts.expires != nil }) {
            try purchase.noteEnd(session)
        }
        if var renewal {
            renewal.purchase = purchase.id
            if try renewal.enter(session) { purchase.hasChanged = true }
        }
        if purchase.hasChanged { try PriceSubscriberRow.wake(purchase.id, session) }
        return purchase
    }

    /// Gives the purchase to the account that has shown its token, or tells its account that it
    /// has changed.
    func assign(
        _ purchase: inout PurchaseRow, of app: Int64, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        var owner: Int64?
        if let appAccountToken, !purchase.isErased {
            owner = try AccountRow.withToken(appAccountToken, of: app, session)
            try purchase.note(token: appAccountToken, session)
        }
        if purchase.account == nil, let owner {
            try purchase.bind(to: owner, by: .token, at: now, session)
        } else if purchase.hasChanged {
            try purchase.touchHolders(session)
        }
    }
}
