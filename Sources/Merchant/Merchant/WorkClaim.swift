import DueWork
import Storage
import SubscriptionRules

/// That one of those who share a database does some work at a time. Each step renews it in its own
/// transaction: who was held up for so long that another one took over writes nothing more.
struct WorkClaim: Sendable {
    private let claim: Claim
    private let holder: String
    /// How long nobody else works after the holder has died.
    private let time: Span
    /// Whether only processes compete for it: a database that is one process's own needs none then.
    private let isBetweenProcesses: Bool

    /// On looking for what was missed, on a rebuild, or on a campaign.
    static func look(_ name: String, for holder: String) -> WorkClaim {
        WorkClaim(
            claim: Claim(name), holder: holder, time: .minutes(2), isBetweenProcesses: false)
    }

    /// On what waits in the inbox, so that what is of one purchase is done in order.
    static func inbox(for holder: String) -> WorkClaim {
        WorkClaim(
            claim: Claim("inbox"), holder: holder, time: .seconds(5), isBetweenProcesses: true)
    }

    /// What the claim on looking in an environment of an app is called.
    static func lookName(_ app: Int64, _ environment: MerchantEnvironment) -> String {
        "look for gaps \(app) \(environment.rawValue)"
    }

    /// - Returns: whether it is the holder's; false while another one has it.
    func take(_ session: any Session) throws(StorageError) -> Bool {
        guard session.dialect.isShared || !isBetweenProcesses else { return true }
        return try claim.hold(for: holder, time, in: session)
    }

    /// - Throws: `WorkIsTaken` where another one has it.
    func renew(_ session: any Session) throws {
        guard try take(session) else { throw WorkIsTaken() }
    }

    func release(_ session: any Session) throws(StorageError) {
        guard session.dialect.isShared || !isBetweenProcesses else { return }
        try claim.release(by: holder, in: session)
    }
}

/// Another one has taken over what was held up here.
struct WorkIsTaken: Error {}
