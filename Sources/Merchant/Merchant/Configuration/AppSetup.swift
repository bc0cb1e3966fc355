public import AppStoreSigning
import AppStoreWire
public import MerchantRules

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
    /// - Throws: `JWSVerificationError`: of Production where it is of neither.
    func verify<Verified>(
        _ verification: (SignedDataVerifier) async throws(JWSVerificationError) -> Verified
    ) async throws(JWSVerificationError) -> (MerchantEnvironment, Verified) {
        do {
            return (.production, try await verification(verifier(in: .production)))
        } catch  where error.code == .wrongEnvironment {
            return (.sandbox, try await verification(verifier(in: .sandbox)))
        }
    }

    func verifier(in environment: MerchantEnvironment) -> SignedDataVerifier {
        guard let verifier = verifiers[environment] else {
            preconditionFailure("there is a verifier for each environment")
        }
        return verifier
    }
}
