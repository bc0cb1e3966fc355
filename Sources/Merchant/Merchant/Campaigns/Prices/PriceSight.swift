import FoundationEssentials
import MerchantRules
import Storage
import SubscriptionRules

/// What the registers said of a subscriber when a campaign looked last: news are the difference.
struct PriceSight: Codable, Hashable, Sendable {
    /// What the next renewal brings.
    enum Expectation: String, Codable, Sendable {
        case renews
        case recovered
        case inRetry
        case off
    }

    /// How the subscription stands.
    enum Standing: String, Codable, Sendable {
        case running
        case expired
        case refunded
    }

    let transactionID: String
    let productID: String
    let skus: [String]
    /// In milliseconds since 1970.
    let start: Int64
    let renews: Int64
    /// What the running period's items cost, offers aside.
    let price: Int64
    let expectation: Expectation
    let standing: Standing

    init(_ subscriber: CampaignSubscriber, paid price: Int64) {
        transactionID = subscriber.transactionID
        productID = subscriber.productID
        skus = subscriber.items.map(\.sku).sorted()
        start = subscriber.periodStart.milliseconds
        renews = subscriber.renews.milliseconds
        self.price = price
        switch subscriber.expectation {
        case .renews, .turnedOnAgain: expectation = .renews
        case .recovered: expectation = .recovered
        case .inBillingRetry: expectation = .inRetry
        case .willNotRenew: expectation = .off
        }
        switch subscriber.status {
        case .active, .grace, .billingRetry: standing = .running
        case .expired: standing = .expired
        case .revoked: standing = .refunded
        }
    }

    /// What has happened since, in order: what holds the campaign up, and what ends that (CMP-33).
    ///
    /// - Parameters:
    ///   - asked: the items that may end without consent.
    ///   - isLapsed: whether the store ended it for lack of consent.
    func events(
        until now: PriceSight, asked: Set<String>, isLapsed: Bool
    ) -> [CampaignEvent] {
        if now == self { return [] }
        switch now.standing {
        case .refunded: return standing == .refunded ? [] : [.refunded]
        case .expired: return standing == .expired ? [] : [.expired(forLackOfConsent: isLapsed)]
        case .running: break
        }
        // Who subscribes again is told anew, where renewal had only been off.
        if standing != .running { return [.renewalTurnedOn] }
        let isNewPeriod = now.transactionID != transactionID && now.start > start
        if now.productID != productID || now.skus != skus {
            let gone = Set(skus).subtracting(now.skus)
            let isShorter = now.productID == productID && Set(now.skus).isSubset(of: skus)
            guard isShorter, isNewPeriod, gone.isSubset(of: asked) else { return [.productChanged] }
            return [.expired(forLackOfConsent: true)]
        }
        return periodEvents(now, isNewPeriod: isNewPeriod) + renewalEvents(now)
    }

    private func periodEvents(_ now: PriceSight, isNewPeriod: Bool) -> [CampaignEvent] {
        if isNewPeriod {
            let isLate = expectation == .inRetry || now.expectation == .recovered
            return [isLate ? .recovered : .renewed(price: now.price)]
        }
        return now.renews == renews ? [] : [.periodMoved]
    }

    private func renewalEvents(_ now: PriceSight) -> [CampaignEvent] {
        switch (expectation, now.expectation) {
        case (.renews, .inRetry), (.recovered, .inRetry): [.enteredRetry]
        case (.off, .inRetry): [.renewalTurnedOn, .enteredRetry]
        case (.renews, .off), (.recovered, .off), (.inRetry, .off): [.renewalTurnedOff]
        case (.off, .renews), (.off, .recovered): [.renewalTurnedOn]
        case (.renews, .renews), (.renews, .recovered), (.recovered, .renews),
            (.recovered, .recovered), (.inRetry, .renews), (.inRetry, .recovered),
            (.inRetry, .inRetry), (.off, .off):
            []
        }
    }

    /// As it is kept.
    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// Reads what was kept.
    static func read(_ text: String) throws(StorageError) -> PriceSight? {
        if text.isEmpty { return nil }
        guard let sight = try? JSONDecoder().decode(PriceSight.self, from: Data(text.utf8)) else {
            throw StorageError(.corrupt, "what a campaign saw of a subscriber cannot be read")
        }
        return sight
    }
}
