import Storage
import SubscriptionRules

/// That the signature of an offer was used up (PRO-1).
enum OfferSignatureUse {
    /// - Parameter nonce: the signature's UUID in lower case.
    /// - Returns: false where it was used before.
    static func insert(
        app: Int64, environment: StoreEnvironment, nonce: String, at moment: Instant,
        in session: any Session
    ) throws -> Bool {
        try session.execute(
            """
            INSERT INTO offer_signature (app, environment, nonce, used_at)
            VALUES (\(app), \(environment.rawValue), \(nonce), \(moment))
            ON CONFLICT (app, environment, nonce) DO NOTHING
            """) == 1
    }
}
