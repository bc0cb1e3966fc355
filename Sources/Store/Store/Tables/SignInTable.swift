import Storage
import SubscriptionRules

/// The devices that are signed in, each known by the digest of its token.
extension DeviceSession {
    func insert(digest: String, at moment: Instant, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO sign_in (token_digest, customer, app, device, created_at)
            VALUES (\(digest), \(customer), \(app), \(device), \(moment))
            """)
    }

    /// Moves the devices of a customer to another one.
    static func move(from old: Int64, to new: Int64, in session: any Session) throws {
        try session.execute("UPDATE sign_in SET customer = \(new) WHERE customer = \(old)")
    }

    static func find(
        digest: String, in environment: StoreEnvironment, _ session: any Session
    ) throws -> DeviceSession? {
        try session.row(
            """
            SELECT i.customer, i.app, i.device FROM sign_in i
            JOIN customer c ON c.id = i.customer
            WHERE i.token_digest = \(digest) AND c.environment = \(environment)
            """
        ).map { row in
            DeviceSession(
                environment: environment, customer: try row.integer(0), app: try row.integer(1),
                device: try row.text(2))
        }
    }
}
