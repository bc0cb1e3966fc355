public import AppStoreWire
public import SubscriptionRules

/// A rule by which the outside goes wrong: notifications on their way, or calls of the App Store
/// Server API. It never changes what the store knows of its customers.
public struct FaultRule: Sendable, Hashable {
    /// What goes wrong, and for which notifications or calls.
    public enum Effect: Sendable, Hashable {
        /// - Parameters:
        ///   - type: nil for all types.
        ///   - subtype: nil for all subtypes and none.
        case notifications(NotificationFault, type: NotificationTypeV2?, subtype: Subtype?)
        /// - Parameter operation: the endpoint's name, such as `getTransactionInfo`; nil for all.
        case calls(CallFault, operation: String?)
    }

    public let effect: Effect
    /// The app that it is for; nil for all.
    public let bundleID: String?
    /// How many of a hundred candidates it takes, decided by the seed.
    public let percent: Int
    /// The same seed takes the same candidates; nil for one that follows from the world's.
    public let seed: String?
    /// How often it applies at most; nil for always.
    public let most: Int?

    public init(
        _ effect: Effect, bundleID: String? = nil, percent: Int = 100, seed: String? = nil,
        most: Int? = nil
    ) {
        self.effect = effect
        self.bundleID = bundleID
        self.percent = percent
        self.seed = seed
        self.most = most
    }

    /// What it is called.
    public var kind: FaultKind {
        switch effect {
        case .notifications(.drop, _, _): .dropNotifications
        case .notifications(.lose, _, _): .loseNotifications
        case .notifications(.repeats, _, _): .repeatNotifications
        case .notifications(.delay, _, _): .delayNotifications
        case .notifications(.reorder, _, _): .reorderNotifications
        case .calls(.fail, _): .failCalls
        case .calls(.limit, _): .limitCalls
        case .calls(.slow, _): .slowCalls
        }
    }
}

/// What can become of a notification on its way.
public enum NotificationFault: Sendable, Hashable {
    /// An attempt never arrives and fails; in Production others follow.
    case drop
    /// An attempt never arrives, and the store takes it for delivered.
    case lose
    /// An attempt that arrives does so again, so many times.
    case repeats(times: Int)
    /// The first attempt is made so much later.
    case delay(Span)
    /// The first attempt is made later by up to so much, drawn by the seed in whole seconds:
    /// those of nearby moments overtake each other.
    case reorder(within: Span)

    /// Whether it is about when the first attempt is made, not about what becomes of it.
    var isAboutTime: Bool {
        switch self {
        case .delay, .reorder: true
        case .drop, .lose, .repeats: false
        }
    }
}

/// What can become of a call.
public enum CallFault: Sendable, Hashable {
    /// It is answered with an error; nothing else is done.
    case fail(APIError)
    /// It is answered as one call too many.
    ///
    /// - Parameter pause: after which the client may come back; nil for the next full hour, as
    ///   the rate limits do it.
    case limit(pause: Span?)
    /// It is answered so much later, by the machine's clock.
    case slow(Span)

    /// The longest time that a call is held up, by all rules together.
    public static let longestWait = Span.seconds(30)

    /// The operation whose answers are statuses of receipts and not errors of the App Store Server
    /// API.
    public static let verifyReceipt = "verifyReceipt"

    /// A failure with a code of the App Store Server API, or with a status of verifyReceipt.
    public static func fail(code: Int64) -> CallFault {
        .fail(APIError.all[code] ?? APIError(code: code, name: "", message: ""))
    }
}

extension APIError {
    /// The refusal of verifyReceipt that the code is, from 21000 to 21199; nil for codes of the App
    /// Store Server API (RCP-2).
    public var receiptStatus: VerifyReceiptStatus? {
        guard let code = Int(exactly: code) else { return nil }
        let status = VerifyReceiptStatus(rawValue: code)
        let isRefusal = status != .valid && VerifyReceiptStatus.known.contains(status)
        return isRefusal || VerifyReceiptStatus.internalErrors.contains(code) ? status : nil
    }
}

/// The kinds of rules, by their names on the wire.
public enum FaultKind: String, Sendable, Hashable, CaseIterable {
    case dropNotifications, loseNotifications, repeatNotifications, delayNotifications
    case reorderNotifications
    case failCalls, limitCalls, slowCalls

    /// Whether it is about calls of the App Store Server API.
    public var concernsCalls: Bool {
        switch self {
        case .failCalls, .limitCalls, .slowCalls: true
        case .dropNotifications, .loseNotifications, .repeatNotifications, .delayNotifications,
            .reorderNotifications:
            false
        }
    }
}

/// A rule and how it fares.
public struct FaultStatus: Sendable, Hashable {
    public let id: Int64
    /// The rule, with its seed.
    public let rule: FaultRule
    /// How many notifications or calls it could have taken so far.
    public let candidates: Int64
    /// How many it took.
    public let applied: Int64
    /// Whether it has applied as often as it may.
    public let isSpent: Bool
    public let created: Instant
}

/// A rule that was applied to a notification.
public struct AppliedFault: Sendable, Hashable {
    public let fault: Int64
    public let kind: FaultKind
    /// The number of the attempt that it took; the first one is 1.
    public let attempt: Int
    public let at: Instant
}
