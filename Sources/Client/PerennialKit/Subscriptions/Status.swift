import AppStoreWire

extension Product.SubscriptionInfo {
    /// How a subscription stands. Several devices and the store's clock change it, so it is asked
    /// for rather than kept.
    public struct Status: Sendable, Hashable {
        /// What the customer's access is.
        public let state: RenewalState
        /// The newest transaction.
        public let transaction: VerificationResult<Transaction>
        /// What comes next.
        public let renewalInfo: VerificationResult<RenewalInfo>
        /// The subscription: its first transaction.
        public let originalTransactionID: UInt64
        /// The subscription group.
        public let subscriptionGroupID: String
        /// Whether the customer has access, in the store's words.
        public let isEntitled: Bool
        /// Whether it came by Family Sharing: then its purchaser manages it.
        public let isFamilyShared: Bool
        /// For how long it has been kept on this device, by its clock, where the store was away
        /// when it was asked for; nil where the store answered. One that has ended by its own
        /// dates meanwhile gives no access: whether it was renewed is not known here.
        public let age: Duration?
        let session: StoreSession

        /// Subscriptions whose status or renewal info changed. What happened while nobody listened
        /// is not told again, for it is no event: read the status at the start.
        public static func updates(in session: StoreSession) -> Updates {
            Updates(session: session)
        }

        /// See ``Status/updates(in:)``.
        public struct Updates: AsyncSequence, Sendable {
            public typealias Element = Status
            public typealias Failure = Never

            fileprivate let session: StoreSession

            public func makeAsyncIterator() -> Iterator {
                Iterator(session: session, occurrences: Occurrences(session))
            }

            /// Waits for changes.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let session: StoreSession
                fileprivate let occurrences: Occurrences

                public mutating func next() async -> Status? {
                    while let occurrence = await occurrences.next() {
                        guard case .status(let received) = occurrence else { continue }
                        if let status = try? await session.status(received.json) { return status }
                    }
                    return nil
                }
            }
        }
    }

    /// What the customer's access to a subscription is.
    public struct RenewalState: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The App Store Server API's number.
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It runs.
        public static let subscribed = RenewalState(rawValue: 1)
        /// It is over.
        public static let expired = RenewalState(rawValue: 2)
        /// A payment failed and is tried again; the customer has no access.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A payment failed and is tried again; the customer has access meanwhile.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// It was refunded, or the family shares it no more.
        public static let revoked = RenewalState(rawValue: 5)

        /// StoreKit's word, or the number of one that is new.
        public var description: String {
            switch self {
            case .subscribed: "subscribed"
            case .expired: "expired"
            case .inBillingRetryPeriod: "inBillingRetryPeriod"
            case .inGracePeriod: "inGracePeriod"
            case .revoked: "revoked"
            default: "\(rawValue)"
            }
        }
    }

    /// How the customer's subscriptions of a group stand: the own one, and those that the family
    /// shares. Where the store is away, the last verified answer is given, with its
    /// ``Status/age``.
    public static func status(
        for groupID: String, in session: StoreSession
    ) async throws(StoreKitError) -> [Status] {
        try await session.statuses().filter { $0.subscriptionGroupID == groupID }
    }

    /// How all of the customer's subscriptions stand, the own ones first.
    public static func allStatuses(
        in session: StoreSession
    ) async throws(StoreKitError) -> [Status] {
        try await session.statuses()
    }

    /// How the customer's subscriptions of this product's group stand.
    public func status(in session: StoreSession) async throws(StoreKitError) -> [Status] {
        try await Self.status(for: subscriptionGroupID, in: session)
    }
}

extension Transaction {
    /// How the subscription of this transaction stands; nil for what is none.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async throws(StoreKitError) {
            try await session.statuses().first { $0.originalTransactionID == originalID }
        }
    }
}

extension StoreSession {
    fileprivate func statuses() async throws(StoreKitError) -> [Product.SubscriptionInfo.Status] {
        let account = try keeper.signedInAccount().name
        do throws(StoreKitError) {
            let answer = try await exchange.get("/storefront/v1/subscriptions")
            let now = configuration.clock.now
            var found: [Product.SubscriptionInfo.Status] = []
            var entries: [KeptEntry] = []
            for entry in try answer.requiredList("subscriptions", "the subscriptions") {
                let status = try await status(entry)
                found.append(status)
                guard case .verified(let transaction) = status.transaction,
                    case .verified(let renewal) = status.renewalInfo
                else { continue }
                entries.append(
                    KeptEntry(
                        transaction.payload, at: now,
                        fingerprint: "\(status.state) \(status.isEntitled) "
                            + transaction.payload.fingerprint + renewal.payload.fingerprint,
                        json: entry))
            }
            keeper.keep(entries, as: .subscriptions, account: account, at: now)
            return found
        } catch {
            return try await statuses(kept: kept(.subscriptions, after: error))
        }
    }

    /// - Parameter age: for how long it has been kept; nil where the store answered.
    func status(
        _ json: JSONValue, age: Duration? = nil
    ) async throws(StoreKitError) -> Product.SubscriptionInfo.Status {
        let what = "a subscription"
        guard let id = UInt64(try json.requiredText("originalTransactionId", what)) else {
            throw .invalidResponse("a subscription has no number")
        }
        let signed = try json.requiredText("signedTransactionInfo", what)
        let (payload, error) = try await reader.transaction(signed)
        let signedRenewal = try json.requiredText("signedRenewalInfo", what)
        let (renewal, renewalError) = try await reader.renewalInfo(signedRenewal)
        let info = Product.SubscriptionInfo.RenewalInfo(
            payload: renewal, jwsRepresentation: signedRenewal)
        return Product.SubscriptionInfo.Status(
            state: .init(rawValue: Int(try json.requiredInteger("status", what))),
            transaction: Transaction.result(payload, error, jws: signed, session: self),
            renewalInfo: renewalError.map { .unverified(info, $0) } ?? .verified(info),
            originalTransactionID: id,
            subscriptionGroupID: try json.requiredText("subscriptionGroupIdentifier", what),
            isEntitled: try json.requiredBool("entitled", what),
            isFamilyShared: try json.requiredBool("familyShared", what), age: age,
            session: self)
    }
}

extension Product.SubscriptionInfo.Status {
    /// The same, after the end of its period or of its grace period.
    var ended: Self {
        let end: Product.SubscriptionInfo.RenewalState =
            switch state {
            case .subscribed: .expired
            case .inGracePeriod: .inBillingRetryPeriod
            default: state
            }
        return Self(
            state: end, transaction: transaction, renewalInfo: renewalInfo,
            originalTransactionID: originalTransactionID,
            subscriptionGroupID: subscriptionGroupID, isEntitled: false,
            isFamilyShared: isFamilyShared, age: age, session: session)
    }
}

extension Product.SubscriptionInfo.Status {
    public static func == (one: Self, other: Self) -> Bool {
        one.state == other.state && one.transaction == other.transaction
            && one.renewalInfo == other.renewalInfo && one.isEntitled == other.isEntitled
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(originalTransactionID)
        hasher.combine(state)
    }
}
