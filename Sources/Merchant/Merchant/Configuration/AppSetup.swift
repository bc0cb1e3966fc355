public import AppStoreSigning
import AppStoreWire
public import MerchantRules
public import SubscriptionRules

/// Where a purchase was made, as far as a merchant tells them apart.
public enum MerchantEnvironment: Int64, Hashable, Sendable, CaseIterable {
    case production = 1
    case sandbox = 2

    /// Apple's word for it.
    public var name: String { wire.rawValue }

    var wire: Environment {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        }
    }
}

/// What a purchase made in Sandbox unlocks.
public enum SandboxPolicy: String, Hashable, Sendable, CaseIterable {
    /// An entitlement of its own, apart from Production's.
    case separate
    /// The same as a purchase made in Production.
    case grants
}

/// How the App Store Server API is asked about an app.
public struct ServerAPI: Sendable {
    /// Where each environment answers, without a slash at the end.
    public let urls: [MerchantEnvironment: String]
    /// The developer's key.
    public let key: APIKey

    public init(urls: [MerchantEnvironment: String], key: APIKey) {
        self.urls = urls
        self.key = key
    }

    /// Where the App Store itself answers.
    public static let appStore: [MerchantEnvironment: String] = [
        .production: "https://api.storekit.apple.com",
        .sandbox: "https://api.storekit-sandbox.apple.com",
    ]
}

/// One app that a merchant serves: by what its purchases are verified, and what they unlock.
public struct AppSetup: Sendable {
    public let bundleID: String
    /// The app's Apple id, which Production's signed data names.
    public let appAppleID: Int64?
    /// What each product unlocks; one that is not named unlocks an entitlement with the name of
    /// its subscription group, or with its own where it has none.
    public var grants: [String: [String]] = [:]
    /// How access is judged.
    public var policy = AccessPolicy()
    /// The environments whose signed data is taken; at least one.
    public var environments = Set(MerchantEnvironment.allCases)
    /// What comes of a purchase that another account owns.
    public var transfers = TransferPolicy.refuse
    /// What Sandbox unlocks.
    public var sandbox = SandboxPolicy.separate
    /// How the App Store Server API is asked; nil where it cannot be.
    public var serverAPI: ServerAPI?
    /// When the first of the certificates ends that are trusted.
    public let trustEnds: Instant?
    /// What proves notifications of version 1, and opens `verifyReceipt`; nil where neither is
    /// used.
    public var sharedSecret: AppSecret?
    /// The URLs of `verifyReceipt`, which is asked about receipts that the roots do not verify;
    /// nil where it is not.
    public var receiptService: [MerchantEnvironment: String]?
    /// Where the bodies of notifications go on to, byte for byte, once they are kept.
    public var forward: [String] = []
    /// How its own pages look; nil where they look as all do.
    public var look: AppLook?
    /// How long the bodies of notifications are kept that were processed; nil for ever.
    public var retention: Span?
    /// The certificates that are trusted (DER).
    let rootDER: [[UInt8]]
    /// How often a test notification is asked for, an hour or more; nil for never.
    public var testInterval: Span?
    private let verifiers: [MerchantEnvironment: SignedDataVerifier]

    /// - Parameter rootDER: the certificates that are trusted (DER): Apple's, or a store's.
    /// - Throws: `JWSVerificationError` where one is no certificate.
    public init(
        bundleID: String, appAppleID: Int64?, rootDER: [[UInt8]]
    ) throws(JWSVerificationError) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.rootDER = rootDER
        let verifier = try JWSVerifier(rootDER: rootDER)
        trustEnds = verifier.firstRootEnd.map(Instant.init(milliseconds:))
        var verifiers: [MerchantEnvironment: SignedDataVerifier] = [:]
        for environment in MerchantEnvironment.allCases {
            verifiers[environment] = SignedDataVerifier(
                verifier: verifier, bundleID: bundleID, environment: environment.wire,
                appAppleID: appAppleID)
        }
        self.verifiers = verifiers
    }

    /// What a transaction unlocks.
    func entitlements(of transaction: TransactionFacts) -> [String] {
        if let named = grants[transaction.productID] { return named }
        // What can be bought again and again is counted, and unlocks nothing.
        if transaction.kind == .consumable { return [] }
        return [transaction.groupID ?? transaction.productID]
    }

    /// The same, taking from one environment alone.
    ///
    /// - Parameter environment: nil for all that are taken.
    /// - Throws: `MerchantError.intake`.
    func narrowed(
        to environment: MerchantEnvironment?
    ) throws(MerchantError) -> AppSetup {
        guard let environment else { return self }
        guard environments.contains(environment) else {
            throw .intake(.environmentNotTaken(environment))
        }
        var setup = self
        setup.environments = [environment]
        return setup
    }

    /// Verifies something in the environment that it is of.
    ///
    /// - Throws: `JWSVerificationError`: of the last environment where it is of none that is taken.
    func verify<Verified>(
        _ verification: (SignedDataVerifier) async throws(JWSVerificationError) -> Verified
    ) async throws(JWSVerificationError) -> (MerchantEnvironment, Verified) {
        let taken = MerchantEnvironment.allCases.filter(environments.contains)
        guard let last = taken.last else { preconditionFailure("an app has an environment") }
        for environment in taken.dropLast() {
            do {
                return (environment, try await verification(verifier(in: environment)))
            } catch  where error.code == .wrongEnvironment {
                continue
            }
        }
        return (last, try await verification(verifier(in: last)))
    }

    func verifier(in environment: MerchantEnvironment) -> SignedDataVerifier {
        guard let verifier = verifiers[environment] else {
            preconditionFailure("there is a verifier for each environment")
        }
        return verifier
    }
}
