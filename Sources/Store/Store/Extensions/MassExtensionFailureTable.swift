import Storage
public import SubscriptionRules

/// A subscription that a mass extension could not extend, and why.
public struct MassExtensionFailure: Sendable, Hashable {
    /// The subscription.
    public let originalTransactionID: Int64
    /// Whose it is.
    public let account: String
    /// Why: a case of `ExtensionRefusal` by its name, or `provoked` where the app fails some on
    /// purpose.
    public let reason: String
    /// When it was extended after all, by another try; nil while it is not.
    public let extended: Instant?
}

/// How many subscriptions a mass extension could not extend for one reason.
public struct MassExtensionReason: Sendable, Hashable {
    /// As in `MassExtensionFailure`, or `damaged` where what is stored could not be read.
    public let reason: String
    public let count: Int64
}

extension MassExtension {
    static let failureColumns = "mass_extension, subscription, reason"

    /// Writes down that a subscription was not extended.
    func keepFailure(
        of subscription: Int64, _ reason: String, in session: any Session
    ) throws {
        try session.execute(
            """
            INSERT INTO mass_extension_failure (\(raw: MassExtension.failureColumns))
            VALUES (\(id), \(subscription), \(reason))
            """)
    }

    /// Why subscriptions failed, the most frequent reason first.
    func reasons(in session: any Session) throws -> [MassExtensionReason] {
        try session.rows(
            """
            SELECT reason, COUNT(*) FROM mass_extension_failure
            WHERE mass_extension = \(id) GROUP BY reason ORDER BY COUNT(*) DESC, reason
            """
        ).map { MassExtensionReason(reason: try $0.text(0), count: try $0.integer(1)) }
    }

    /// The subscriptions that failed, in their order.
    static func failures(
        of id: Int64, _ environment: StoreEnvironment, after: Int64, limit: Int,
        in session: any Session
    ) throws -> [MassExtensionFailure] {
        try session.rows(
            """
            SELECT f.subscription, c.account, f.reason, j.at FROM mass_extension_failure f
            JOIN mass_extension m ON m.id = f.mass_extension
            JOIN subscription s ON s.id = f.subscription
            JOIN customer c ON c.id = s.customer
            LEFT JOIN journal j ON j.command_id = 'extend/' || CAST(f.subscription AS TEXT)
                || '/' || m.request_identifier
            WHERE f.mass_extension = \(id) AND m.environment = \(environment)
                AND f.subscription > \(after)
            ORDER BY f.subscription LIMIT \(limit)
            """
        ).map {
            MassExtensionFailure(
                originalTransactionID: try $0.integer(0), account: try $0.text(1),
                reason: try $0.text(2), extended: try $0.instantOrNil(3))
        }
    }
}
