import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

/// One subscription of a campaign's audience.
struct AudienceMember: Sendable {
    let purchase: Int64
    let originalTransactionID: String
    let environment: MerchantEnvironment
    let account: String?
    let productID: String
    /// The transaction that counts now.
    let transactionID: String
    /// What the rules of campaigns ask; nil where no signed text says what the customer pays.
    let subscriber: CampaignSubscriber?
    /// What the items of the running period cost, offers aside; nil where nothing says it.
    var paidPrice: Int64?
    /// Whether the store ended it since the customer did not agree to a price.
    var isLapsed = false
}

/// Some of a campaign's audience.
struct AudiencePage: Sendable {
    var members: [AudienceMember]
    /// The purchase behind which the next page begins; nil for the last page.
    var next: Int64?
}

/// Finds whom a campaign may be for: every subscription that has one of its products now. Who of
/// them it reaches is for the rules to say (CMP-2).
struct Audience: Sendable {
    let app: Merchant.ServedApp
    let definition: CampaignDefinition
    let now: Instant

    /// For how long prices and extensions of the past matter: the year of THR-1 and EXT-2, and a
    /// period before it, to which the first price is compared.
    private static let memory = Span.days(800)

    /// The purchases behind one, as far as a page goes.
    ///
    /// - Parameter limit: how many purchases are looked at.
    func page(
        after last: Int64, limit: Int, _ session: any Session
    ) throws(StorageError) -> AudiencePage {
        var purchases = try rows(after: last, limit: limit, session).map {
            row throws(StorageError) in try AudiencePurchase(row)
        }
        let next = purchases.count == limit ? purchases.last?.id : nil
        // One that has it no longer is nobody of the audience.
        try fill(&purchases, session) { hasProduct($0) }
        let members = purchases.map { member($0) }.filter { isOfAudience($0) }
        return AudiencePage(members: members, next: next)
    }

    /// One purchase, whatever it has become; nil where nothing is known of it.
    func one(
        _ id: Int64, _ session: any Session
    ) throws(StorageError) -> AudienceMember? {
        let row = try session.row(
            """
            SELECT p.id, p.environment, p.original_transaction_id, p.account, a.name
            FROM purchase p LEFT JOIN account a ON a.id = p.account WHERE p.id = \(id)
            """)
        guard let row else { return nil }
        var purchases = [try AudiencePurchase(row)]
        try fill(&purchases, session) { !$0.transactions.isEmpty }
        return purchases.first.map { member($0) }
    }

    /// Some purchases again, by their numbers: those that have one of the products still.
    func members(
        _ purchases: [Int64], _ session: any Session
    ) throws(StorageError) -> [Int64: AudienceMember] {
        guard !purchases.isEmpty else { return [:] }
        var found = try session.rows(
            """
            SELECT p.id, p.environment, p.original_transaction_id, p.account, a.name
            FROM purchase p LEFT JOIN account a ON a.id = p.account
            WHERE p.id IN (\(list: purchases)) AND p.app = \(app.id)
            """
        ).map { row throws(StorageError) in try AudiencePurchase(row) }
        try fill(&found, session) { hasProduct($0) }
        var members: [Int64: AudienceMember] = [:]
        for one in found.map({ member($0) }) where isOfAudience(one) {
            members[one.purchase] = one
        }
        return members
    }

    /// What is sold by Advanced Commerce stands inside a generic product, so all are looked at.
    private func rows(
        after last: Int64, limit: Int, _ session: any Session
    ) throws(StorageError) -> [Row] {
        let environments = MerchantEnvironment.allCases.filter {
            definition.environments.contains(CampaignSubscriber.Environment($0))
        }.map(\.rawValue)
        var named: SQL = ""
        if !definition.namesSKUs {
            named = " AND t.product_id IN (\(list: definition.products.sorted()))"
        }
        return try session.rows(
            """
            SELECT p.id, p.environment, p.original_transaction_id, p.account, a.name
            FROM purchase p LEFT JOIN account a ON a.id = p.account
            WHERE p.id > \(last) AND p.app = \(app.id)
                AND p.environment IN (\(list: environments))
                AND EXISTS (SELECT 1 FROM transaction_register t
                    WHERE t.purchase = p.id
                        AND t.kind = \(TransactionFacts.Kind.autoRenewable.rawValue)\(named))
            ORDER BY p.id LIMIT \(limit)
            """)
    }

    private func fill(
        _ purchases: inout [AudiencePurchase], _ session: any Session,
        keeping isWanted: (AudiencePurchase) -> Bool
    ) throws(StorageError) {
        guard !purchases.isEmpty else { return }
        let ids = purchases.map(\.id)
        let transactions = Dictionary(
            grouping: try AudienceTransaction.register.records(
                where: "purchase IN (\(list: ids))", session), by: \.purchase)
        let renewals = Dictionary(
            try RenewalRecord.register.records(where: "purchase IN (\(list: ids))", session)
                .map { ($0.purchase, $0) }, uniquingKeysWith: { first, _ in first })
        for index in purchases.indices {
            purchases[index].transactions = (transactions[purchases[index].id] ?? [])
                .sorted {
                    ($0.facts.purchased, $0.facts.order) < ($1.facts.purchased, $1.facts.order)
                }
            purchases[index].renewal = renewals[purchases[index].id]
        }
        purchases.removeAll { !isWanted($0) }
        try readTexts(of: &purchases, session)
        let since = now - .days(365)
        for environment in MerchantEnvironment.allCases {
            let originals = purchases.filter { $0.environment == environment }
                .map(\.originalTransactionID)
            let notices = try AudienceNotice.all(
                about: originals, in: environment, of: app.id, since: since, session)
            for index in purchases.indices where purchases[index].environment == environment {
                purchases[index].notices = notices[purchases[index].originalTransactionID] ?? []
            }
        }
        let contacts = try AccountContact.all(
            of: Set(purchases.compactMap(\.account)).sorted(), session)
        for index in purchases.indices {
            purchases[index].contact = purchases[index].account.flatMap { contacts[$0] }
        }
    }

    private func hasProduct(_ purchase: AudiencePurchase) -> Bool {
        guard !purchase.transactions.isEmpty else { return false }
        let current = purchase.purchase.current(at: now)
        return current.kind == .autoRenewable
            && (definition.namesSKUs || definition.products.contains(current.productID))
    }

    /// Reads the text of what runs, and of all that went before where prices or offers differ:
    /// the rest would only say the same again, and is long.
    private func readTexts(
        of purchases: inout [AudiencePurchase], _ session: any Session
    ) throws(StorageError) {
        let current = purchases.map { $0.purchase.current(at: now).transactionID }
        try read(current, into: &purchases, session)
        var earlier: [String] = []
        for (purchase, id) in zip(purchases, current) {
            let payload = purchase.payloads[id]
            let isPlain = payload?.offerType == nil && payload?.advancedCommerceInfo == nil
            if isPlain, !hasRise(purchase) { continue }
            earlier += purchase.transactions.filter {
                $0.facts.transactionID != id && $0.facts.purchased > now - Self.memory
            }.map(\.facts.transactionID)
        }
        try read(earlier, into: &purchases, session)
    }

    private func read(
        _ transactionIDs: [String], into purchases: inout [AudiencePurchase],
        _ session: any Session
    ) throws(StorageError) {
        let found = try KeptTransaction.payloads(
            transactionIDs, of: purchases.map(\.id), session)
        guard !found.isEmpty else { return }
        for index in purchases.indices {
            for transaction in purchases[index].transactions {
                let id = transaction.facts.transactionID
                if let payload = found[id] { purchases[index].payloads[id] = payload }
            }
        }
    }

    /// Whether a price has risen lately: from an offer, or by an increase.
    private func hasRise(_ purchase: AudiencePurchase) -> Bool {
        let recent = purchase.transactions.filter { $0.facts.purchased > now - Self.memory }
        return zip(recent, recent.dropFirst()).contains { before, after in
            guard let old = before.price, let new = after.price else { return false }
            return new > old
        }
    }

    private func member(_ purchase: AudiencePurchase) -> AudienceMember {
        let reading = SubscriberReading(
            purchase, of: app.setup, at: now, periods: definition.periods)
        var member = AudienceMember(
            purchase: purchase.id, originalTransactionID: purchase.originalTransactionID,
            environment: purchase.environment, account: purchase.accountName,
            productID: reading.current.productID, transactionID: reading.current.transactionID,
            subscriber: reading.subscriber)
        member.paidPrice = reading.paidPrice
        // The customer did not agree to an increase.
        member.isLapsed = purchase.renewal?.facts.expirationIntent == 3
        return member
    }

    /// Only a signed text says what is inside a generic product.
    private func isOfAudience(_ member: AudienceMember) -> Bool {
        guard definition.namesSKUs else { return true }
        guard let subscriber = member.subscriber, subscriber.isAdvancedCommerce else {
            return false
        }
        return subscriber.items.contains { definition.products.contains($0.sku) }
    }
}

extension TransactionFacts {
    /// By which two transactions of one moment are told apart: identifiers grow.
    fileprivate var order: Int64 { Int64(transactionID) ?? -1 }
}

extension CampaignSubscriber.Environment {
    init(_ environment: MerchantEnvironment) {
        self = environment == .production ? .production : .sandbox
    }
}
