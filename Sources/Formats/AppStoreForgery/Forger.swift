public import AppStoreSigning
public import AppStoreWire

/// What texts are forged of: what a store knows of one purchase.
public struct ForgeryMaterial: Sendable {
    /// The purchase.
    public var transaction: JWSTransactionDecodedPayload
    /// What comes next; nil where it is no auto-renewable subscription.
    public var renewalInfo: JWSRenewalInfoDecodedPayload?
    /// How the subscription stands.
    public var status: Status?
    /// The customer's copy of the app.
    public var appTransaction: AppTransaction
    /// A purchase of somebody else in the same app; nil where there is none.
    public var ofOther: JWSTransactionDecodedPayload?
    /// The app's Apple id.
    public var appAppleID: Int64
    /// The real time, in seconds since 1970 UTC: developers' tokens go by it.
    public var now: Double

    /// Joins what a store knows.
    public init(
        transaction: JWSTransactionDecodedPayload, renewalInfo: JWSRenewalInfoDecodedPayload?,
        status: Status?, appTransaction: AppTransaction, ofOther: JWSTransactionDecodedPayload?,
        appAppleID: Int64, now: Double
    ) {
        self.transaction = transaction
        self.renewalInfo = renewalInfo
        self.status = status
        self.appTransaction = appTransaction
        self.ofOther = ofOther
        self.appAppleID = appAppleID
        self.now = now
    }
}

/// Makes proofs that are wrong, each in one known way, for tests of verifiers (JWS-2).
///
/// It holds what signs genuine texts: some are wrong in what is signed, not in how. What it makes
/// is remembered nowhere.
public struct Forger: Sendable {
    let chain: CertificateChain
    let key: APIKey
    let receiptChain: ReceiptChain?

    /// - Parameters:
    ///   - chain: the store's own.
    ///   - key: the developer's.
    ///   - receiptChain: the store's own for receipts; without one no receipts are forged.
    public init(chain: CertificateChain, key: APIKey, receiptChain: ReceiptChain? = nil) {
        self.chain = chain
        self.key = key
        self.receiptChain = receiptChain
    }

    /// Makes a text of a kind.
    ///
    /// - Parameter generator: makes nonces.
    /// - Throws: ``ForgeryImpossible`` where the material lacks what the kind needs.
    public func make(
        _ kind: ForgeryKind, of material: ForgeryMaterial,
        using generator: inout some RandomNumberGenerator
    ) throws -> Forgery {
        let environment = material.transaction.environment
        if let needed = kind.onlyIn, needed != environment {
            throw ForgeryImpossible.onlyIn(needed)
        }
        let made = try kind.make(self, material, Nonces(using: &generator))
        return Forgery(kind: kind, text: made.text, first: made.first)
    }
}

/// Loggers print values by reflection; this one holds private keys, so it shows only its name.
extension Forger: CustomStringConvertible, CustomReflectable {
    public var description: String { "Forger" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
