/// The verdict of verifyReceipt: `status` of the reply (RCP-2).
public struct VerifyReceiptStatus: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The receipt is valid, also where the subscription in it has expired.
    public static let valid = Self(rawValue: 0)
    /// The request was not POST.
    public static let notPost = Self(rawValue: 21000)
    /// No longer sent.
    public static let retired = Self(rawValue: 21001)
    /// `receipt-data` is malformed or missing, or something failed for the moment.
    public static let malformedReceipt = Self(rawValue: 21002)
    /// The receipt could not be authenticated.
    public static let notAuthenticated = Self(rawValue: 21003)
    /// The shared secret is not the account's.
    public static let wrongSecret = Self(rawValue: 21004)
    /// The server is away for the moment.
    public static let unavailable = Self(rawValue: 21005)
    /// Valid, and the subscription has expired: transaction receipts of iOS 6 only.
    public static let expiredSubscription = Self(rawValue: 21006)
    /// A receipt of sandbox was sent to production.
    public static let sandboxReceipt = Self(rawValue: 21007)
    /// A receipt of production was sent to sandbox.
    public static let productionReceipt = Self(rawValue: 21008)
    /// Data could not be read within the store.
    public static let internalDataAccess = Self(rawValue: 21009)
    /// There is no such customer, or none any more.
    public static let unknownAccount = Self(rawValue: 21010)

    /// Further failures within the store: `is_retryable` says what to do.
    public static let internalErrors = 21100...21199

    /// The published values, in the order of the reference.
    public static let known: [Self] = [
        .valid, .notPost, .retired, .malformedReceipt, .notAuthenticated, .wrongSecret,
        .unavailable, .expiredSubscription, .sandboxReceipt, .productionReceipt,
        .internalDataAccess, .unknownAccount,
    ]

    /// What a server does that is answered this.
    public enum Advice: Sendable, Hashable {
        /// The reply holds what was bought.
        case read
        /// Asking again changes nothing.
        case giveUp
        /// Asking once more may help.
        case retryOnce
        /// Asking later may help.
        case retryLater
        /// The same request belongs to sandbox.
        case askSandbox
        /// The same request belongs to production.
        case askProduction
        /// `is_retryable` of the reply says whether to ask again.
        case asTheReplySays
    }

    /// What to do next; numbers that nobody has published are not asked again.
    public var advice: Advice {
        switch self {
        case .valid, .expiredSubscription: .read
        case .malformedReceipt: .retryOnce
        case .unavailable, .internalDataAccess: .retryLater
        case .sandboxReceipt: .askSandbox
        case .productionReceipt: .askProduction
        default: Self.internalErrors.contains(rawValue) ? .asTheReplySays : .giveUp
        }
    }

    /// A sentence for people.
    public var meaning: String {
        switch self {
        case .valid: "The receipt is valid."
        case .notPost: "The request was not POST."
        case .retired: "This status is no longer sent."
        case .malformedReceipt: "The receipt is malformed or missing; or try once more."
        case .notAuthenticated: "The receipt could not be authenticated."
        case .wrongSecret: "The shared secret is not the one of the account."
        case .unavailable: "The receipt server is not available for the moment."
        case .expiredSubscription: "The receipt is valid, and its subscription has expired."
        case .sandboxReceipt: "The receipt is from sandbox: send it there."
        case .productionReceipt: "The receipt is from production: send it there."
        case .internalDataAccess: "Data could not be read: try again later."
        case .unknownAccount: "The account cannot be found or has been deleted."
        default:
            Self.internalErrors.contains(rawValue)
                ? "Data could not be read." : "This status is not known."
        }
    }
}
