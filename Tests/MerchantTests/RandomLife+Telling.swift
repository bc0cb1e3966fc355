import AppStoreWire
import Merchant
import MerchantRules
import Storage
import TestFloor
import TestSupport

/// The same life again, as it reaches other merchants.
extension RandomLife {
    /// Tells a merchant everything in any order, each up to three times, and a part of it only
    /// after the rest has been processed.
    func tellShuffled(
        _ merchant: Merchant, using chance: inout SeededGenerator
    ) async throws {
        var all: [News] = []
        for one in news {
            all += Array(repeating: one, count: Int.random(in: 1...3, using: &chance))
        }
        all.shuffle(using: &chance)
        for one in all {
            try await one.reach(merchant)
            if Int.random(in: 1...6, using: &chance) == 1 { try await merchant.settle() }
        }
        try await merchant.settle()
    }

    /// Loses the half of everything but the newest renewal information of each subscription, and
    /// lets the apps restore all transactions of the purchases that this merchant has heard of:
    /// together what a status answer and a history say.
    func tellWithLosses(
        _ merchant: Merchant, using chance: inout SeededGenerator
    ) async throws {
        var newest: [String: Int64] = [:]
        let renewals = news.compactMap(\.renewal)
        for one in renewals {
            newest[one.originalTransactionId] = max(
                one.signedDate, newest[one.originalTransactionId] ?? one.signedDate)
        }
        for one in news.shuffled(using: &chance) {
            let isNewest = one.renewal.map { newest[$0.originalTransactionId] == $0.signedDate }
            guard isNewest == true || Bool.random(using: &chance) else { continue }
            try await one.reach(merchant)
        }
        for person in people {
            guard let any = person.anyTransaction else { continue }
            let customer = try await world.merchant.customer(person.name, of: World.bundleID)
            let heard = Set(customer.purchases.map(\.originalTransactionID))
            for text in try await NaiveJudge.history(
                of: any, in: world.world, person.environment)
            {
                let one: JWSTransactionDecodedPayload = try JWSText.decode(text)
                // What the family shared for a moment the app may never have seen.
                guard heard.contains(one.originalTransactionId) else { continue }
                _ = try await merchant.take(
                    transaction: text, from: person.name, of: World.bundleID)
            }
        }
        try await merchant.settle()
    }

    /// How a merchant judges all customers.
    ///
    /// - Parameter withLapses: whether what has ended says when: once the store has stopped trying,
    ///   nothing but what was signed before tells of a grace period.
    func states(
        of merchant: Merchant, withLapses: Bool = true
    ) async throws -> [[String]] {
        var states: [[String]] = []
        for name in Set(people.map(\.name)).sorted() {
            let customer = try await merchant.customer(name, of: World.bundleID)
            let all = customer.entitlements
            let told = all.filter { withLapses || $0.access.isGranted }
            let places = told.map { one in
                "\(one.id) in \(one.environment): \(one.access.reason.rawValue)"
            }
            // What it has stands first, an entitlement a line.
            let lines = zip(all, customer.lines).filter {
                withLapses || $0.0.access.isGranted
            }.map(\.1)
            states.append(lines + customer.state.dropFirst(all.count) + places)
        }
        return states
    }

    /// What a merchant keeps of each transaction and subscription, and whose it is, but for where
    /// it has it from.
    ///
    /// - Parameter dated: whether it must be the same record, and not only say the same: what was
    ///   asked for at the store was signed when it was asked for.
    func registers(in database: any Database, dated: Bool) async throws -> Tables {
        let columns = Self.registers.mapValues { dated ? "\($0), r.signed_at" : $0 }
        return try await Tables(database, named: Array(columns.keys), columns: columns)
    }

    /// What is read of each register. Whether a transaction was replaced is signed only when the
    /// store is asked.
    private static let registers = [
        """
        transaction_register r JOIN purchase p ON p.id = r.purchase
        LEFT JOIN account a ON a.id = p.account
        """: """
        a.name, p.environment, p.original_transaction_id, r.transaction_id, r.product_id,
        r.group_id, r.kind, r.purchased_at, r.expires_at, r.revoked_at, r.revocation, r.is_shared,
        r.quantity, r.refunded_share, r.is_renewal, r.price, r.currency
        """,
        "renewal_register r JOIN purchase p ON p.id = r.purchase": """
        p.environment, p.original_transaction_id, r.next_product_id, r.renews,
        r.is_in_billing_retry, r.grace_ends_at, r.expiration_intent, r.renewal_price
        """,
    ]
}

extension RandomLife.News {
    /// Whether the store sent it: what an app sends is in no history.
    var isNotification: Bool {
        switch self {
        case .notification: true
        case .purchase: false
        }
    }

    fileprivate var renewal: JWSRenewalInfoDecodedPayload? {
        switch self {
        case .notification(let arrival): arrival.renewal
        case .purchase: nil
        }
    }
}
