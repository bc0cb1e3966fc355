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

/// What comes of a purchase that the app sends for one account while another owns it.
public enum TransferPolicy: String, Hashable, Sendable, CaseIterable {
    /// It is refused, unless the customer has asked to restore it.
    case refuse
    /// It moves, as if the customer had asked to restore it.
    case restore
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
        let verifier = try JWSVerifier(rootDER: rootDER)
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
