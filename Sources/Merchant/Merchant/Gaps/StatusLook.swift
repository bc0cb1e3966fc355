import AppStoreSigning
import AppStoreWire
import ServerAPIClient
import Storage
import SubscriptionRules

extension Merchant {
    /// How many subscriptions are asked for at a time: more would not be answered sooner, for a
    /// store takes so many calls a second.
    static let callsAtOnce = 8

    /// Asks for each subscription that should have renewed or ended, and of which nothing was
    /// heard since. Each notes when it was asked for, and so is where a look goes on.
    func askForSubscriptions(
        _ row: inout LookRow, in place: LookPlace, _ client: ServerAPIClient,
        under claim: WorkClaim
    ) async throws {
        var last: OverduePurchase?
        while true {
            let (until, after) = (row.report.until, last)
            let batch = try await database.read { session in
                try OverduePurchase.some(in: place, at: until, after: after, session)
            }
            guard let end = batch.last else { return }
            let outcomes = try await Parallel.map(batch, width: Self.callsAtOnce) { purchase in
                try await self.ask(for: purchase, in: place, client, at: until)
            }
            for outcome in outcomes {
                row.report.read += 1
                row.report.changed += outcome.changed
                row.report.problem = outcome.problem ?? row.report.problem
            }
            row.report.moved = try await now()
            try await keep(row, under: claim)
            last = end
        }
    }

    private func ask(
        for purchase: OverduePurchase, in place: LookPlace, _ client: ServerAPIClient,
        at until: Instant
    ) async throws -> (changed: Int64, problem: String?) {
        var found: [Evidence] = []
        var problem: String?
        do {
            found = try await statuses(of: purchase.transactionID, in: place, client)
        } catch let error as ServerAPIError where error.isAboutOne {
            problem = "\(purchase.transactionID): \(error)"
        } catch let error as JWSVerificationError {
            problem = "\(purchase.transactionID): \(error)"
        }
        let now = try await now()
        let all = found
        let asked = PurchaseKey(
            app: place.app.id, environment: place.environment,
            originalTransactionID: purchase.transactionID)
        let noted = problem
        do {
            let changed = try await database.write(.together) { session in
                var changed: Int64 = 0
                try PurchaseRow.lock(all.compactMap { $0.key(in: place.app.id) } + [asked], session)
                for evidence in all {
                    let purchase = try evidence.keep(of: place.app.id, at: now, session)
                    if purchase?.hasChanged == true { changed += 1 }
                }
                try purchase.noteAsked(until, session)
                return changed
            }
            return (changed, noted)
        } catch let error as StorageError where error.isOfTheLetter {
            // It would fail again, and keep all others from being asked for.
            try await database.write(.together) { session in
                try purchase.noteAsked(until, session)
            }
            return (0, "\(purchase.transactionID): \(error)")
        }
    }

    /// What the store answers of the subscriptions of a customer, verified.
    ///
    /// - Throws: `ServerAPIError`, `JWSVerificationError`.
    func statuses(
        of transactionID: String, in place: LookPlace, _ client: ServerAPIClient
    ) async throws -> [Evidence] {
        let answer = try await client.statuses(of: transactionID)
        var found: [Evidence] = []
        for item in answer.data.flatMap(\.lastTransactions) {
            found.append(
                try await Evidence(
                    transaction: item.signedTransactionInfo, renewal: item.signedRenewalInfo,
                    in: place.environment, verifiedBy: place.app.setup))
        }
        return found
    }
}

/// A subscription whose newest known period is over, and of which nothing says that it has ended
/// for good.
struct OverduePurchase: Sendable {
    let id: Int64
    let end: Instant
    /// Its original transaction.
    let transactionID: String

    /// How long a renewal may come late: the store tries for 60 days.
    static let patience = Span.days(61)

    /// Those behind one that were not asked about in the last hour, in the order of their ends.
    static func some(
        in place: LookPlace, at now: Instant, after last: OverduePurchase?,
        _ session: any Session
    ) throws(StorageError) -> [OverduePurchase] {
        let earliest = last?.end ?? now - patience
        return try session.rows(
            """
            SELECT p.id, p.ends_at, p.original_transaction_id FROM purchase p
            LEFT JOIN renewal_register r ON r.purchase = p.id
            WHERE p.app = \(place.app.id) AND p.environment = \(place.environment.rawValue)
                AND p.ends_at <= \(now) AND p.ends_at >= \(earliest)
                AND (p.ends_at > \(earliest) OR p.id > \(last?.id ?? 0))
                AND (p.asked_at IS NULL OR p.asked_at <= \(now - .hours(1)))
                AND (r.purchase IS NULL OR r.is_in_billing_retry = 1
                    OR r.renews = 1 AND r.expiration_intent IS NULL)
            ORDER BY p.ends_at, p.id LIMIT 100
            """
        ).map { row throws(StorageError) in
            OverduePurchase(
                id: try row.integer(0), end: try row.instant(1), transactionID: try row.text(2))
        }
    }

    func noteAsked(_ now: Instant, _ session: any Session) throws(StorageError) {
        try session.execute("UPDATE purchase SET asked_at = \(now) WHERE id = \(id)")
    }
}
