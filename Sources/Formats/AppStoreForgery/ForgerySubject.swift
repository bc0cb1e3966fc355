public import AppStoreSigning

/// What a forged text pretends to be.
public enum ForgerySubject: String, Sendable, Hashable, CaseIterable {
    /// A transaction that the store has signed.
    case transaction
    /// A subscription's renewal information that the store has signed.
    case renewalInfo = "renewal-info"
    /// A notification's `signedPayload`.
    case notification
    /// A customer's copy of the app that the store has signed.
    case appTransaction = "app-transaction"
    /// An app receipt in Base64.
    case receipt
    /// A developer's token for calls to the store.
    case requestToken = "request-token"
    /// A developer's signed request for a purchase of Advanced Commerce.
    case inAppRequest = "in-app-request"

    /// What the store signs as JWS: Apple's libraries verify it.
    static let verifiedByApple: [ForgerySubject] = [
        .transaction, .renewalInfo, .notification, .appTransaction,
    ]

    /// Whether Apple's libraries verify it: a JWS of the store. They verify no receipts, and what
    /// developers' servers sign is verified by the store.
    public var isVerifiedByApple: Bool { Self.verifiedByApple.contains(self) }
}

/// What a verifier must answer to a text.
public enum ForgeryAnswer: Sendable, Hashable {
    /// The text is right as far as a verifier can see.
    case accepted
    /// As ``AppStoreSigning/SignedDataVerifier`` refuses it.
    case signedData(JWSVerificationError.Code)
    /// As ``AppStoreSigning/RequestTokenVerifier`` refuses it.
    case requestToken(RequestTokenError)
    /// As ``AppStoreSigning/ReceiptVerifier`` refuses it.
    case receipt(ReceiptVerificationError.Code)
    /// As ``AppStoreSigning/RequestTokenVerifier`` verifies an in-app request.
    case inAppRequest(InAppRequestTokenError)

    /// The code of the refusal; nil where there is none.
    public var code: String? {
        switch self {
        case .accepted: nil
        case .signedData(let code): code.rawValue
        case .requestToken(let error): error.rawValue
        case .receipt(let code): code.rawValue
        case .inAppRequest(let error): error.rawValue
        }
    }
}

/// How Apple's library for Python answers, by the names of its `VerificationStatus` (LIB-1).
public enum AppleStatus: String, Sendable, Hashable, CaseIterable {
    case ok = "OK"
    case verificationFailure = "VERIFICATION_FAILURE"
    case invalidAppIdentifier = "INVALID_APP_IDENTIFIER"
    case invalidCertificate = "INVALID_CERTIFICATE"
    case invalidChainLength = "INVALID_CHAIN_LENGTH"
    case invalidEnvironment = "INVALID_ENVIRONMENT"
}
