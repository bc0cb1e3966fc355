/// How an extension failed.
public enum ExtensionFailure: Hashable, Sendable {
    /// The store answered with an error code, of which the first three digits are the status.
    case refused(code: Int)
    /// The store did not answer.
    case noAnswer
    /// A call for many subscriptions left this one out: its notification gives no reason.
    case leftOutOfMany

    /// Whether a single call may be tried (again).
    public enum Retry: Hashable, Sendable {
        /// After a while.
        case later
        /// Once the subscription is in another state.
        case onceItChanges
        /// Never: it would fail again.
        case never
    }

    /// The codes that say why a subscription is not extended (EXT-4, EXT-2, EXT-6).
    static let ineligible = 4_030_004
    static let limitReached = 4_030_005
    static let familyMember = 4_030_007

    /// What may be done: what the store does not know yet, what is too fast for it and what broke
    /// in it may pass; a state may change; the limit, a family member and a wrong request stay.
    public var retry: Retry {
        switch self {
        case .noAnswer, .leftOutOfMany: return .later
        case .refused(Self.ineligible): return .onceItChanges
        case .refused(let code):
            let status = code / 10_000
            return status == 404 || status == 429 || (500...599).contains(status) ? .later : .never
        }
    }

    /// The failure as a short text: a code of Apple's, or a word.
    public var code: String {
        switch self {
        case .refused(let code): String(code)
        case .noAnswer: "noAnswer"
        case .leftOutOfMany: "leftOutOfMany"
        }
    }

    /// Reads what `code` writes.
    public init?(code: String) {
        switch code {
        case "noAnswer": self = .noAnswer
        case "leftOutOfMany": self = .leftOutOfMany
        default:
            guard let number = Int(code) else { return nil }
            self = .refused(code: number)
        }
    }
}
