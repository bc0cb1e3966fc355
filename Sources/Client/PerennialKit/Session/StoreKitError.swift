/// Why the store, or this device, could not do what was asked.
public enum StoreKitError: Error, Sendable, Hashable {
    /// The store gave no answer. Nothing was changed on this device; try again later.
    case networkError(TransportFailure)
    /// The store is in trouble (a status from 500 on), and may say when it is worth trying again.
    case storeUnavailable(status: Int, retryAfter: Duration?)
    /// The store wants to be asked later: after so long.
    case tooManyRequests(retryAfter: Duration?)
    /// Nobody is signed in on this device, or the sign-in is void: it was ended elsewhere, or the
    /// device was wiped. Sign in again.
    case notSignedIn
    /// The store refused; the refusal says what and why.
    case refused(StoreRefusal)
    /// The answer to a purchase was lost, so that nobody knows yet whether it was made. It is
    /// asked for again under the same key, which pays nothing twice: if it was made, or is made
    /// then, its transaction comes in ``Transaction/updates(in:)``. Buying the same again finds it
    /// too.
    case purchaseOutcomeUnknown(key: String)
    /// The store's answer is not what it should be: where, and why.
    case invalidResponse(String)
    /// What the session keeps on this device cannot be read or written: where, and why.
    case systemError(String)
    /// The customer said no, where the older queue needs an error for it.
    case userCancelled
    /// What is to be finished was not verified, so nothing is known of it.
    case notVerified
    /// The session was closed.
    case closed
}

/// What a store said when it refused.
public struct StoreRefusal: Error, Sendable, Hashable {
    /// The status code of HTTP.
    public let status: Int
    /// What programs branch on, such as `alreadySubscribed`; the store's `/openapi.json` lists
    /// them at each path.
    public let code: String
    /// What is wrong and what to do, in one sentence.
    public let message: String
    /// The member or parameter that is wrong, if it is one.
    public let field: String?
}

extension StoreKitError: CustomStringConvertible {
    /// What is wrong and what to do, in one or two sentences.
    public var description: String {
        switch self {
        case .networkError(let failure): failure.description
        case .storeUnavailable(let status, _): "The store is in trouble (status \(status))."
        case .tooManyRequests(let after?): "The store wants to be asked again in \(after)."
        case .tooManyRequests(nil): "The store wants to be asked later."
        case .notSignedIn: "Nobody is signed in on this device: sign in first."
        case .refused(let refusal): "\(refusal.code): \(refusal.message)"
        case .purchaseOutcomeUnknown:
            "The answer to the purchase was lost. It is asked for again; nothing is paid twice."
        case .invalidResponse(let reason): "The store's answer cannot be read: \(reason)"
        case .systemError(let reason): reason
        case .userCancelled: "The customer said no."
        case .notVerified: "The transaction is not verified: it cannot be finished."
        case .closed: "The session was closed."
        }
    }

    /// Whether the same may succeed later.
    var isPassing: Bool {
        switch self {
        case .networkError, .storeUnavailable, .tooManyRequests, .invalidResponse: true
        case .notSignedIn, .refused, .purchaseOutcomeUnknown, .systemError,
            .userCancelled, .notVerified, .closed:
            false
        }
    }

    /// Whether the store may have done what it was asked for, though it did not say so.
    var mayHaveActed: Bool {
        switch self {
        case .networkError(.unreachable), .tooManyRequests, .notSignedIn, .refused: false
        default: true
        }
    }

    /// What the store asks to be waited for.
    var retryAfter: Duration? {
        switch self {
        case .tooManyRequests(let after), .storeUnavailable(_, let after): after
        default: nil
        }
    }
}
