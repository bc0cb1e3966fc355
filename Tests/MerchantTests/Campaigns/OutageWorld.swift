import AppStoreWire
import Mail
import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A store that is served, and a merchant that extends its customers.
struct OutageWorld: Sendable {
    let base: MerchantWorld

    init(
        _ backend: Backend, failing: Int = 0, at start: String = "2026-01-15T00:00:00Z"
    ) async throws {
        base = try await MerchantWorld(backend) { $0.failingExtensions = failing }
        _ = try await base.world.store.advance(to: World.instant(start))
    }

    var store: Store { base.world.store }
    var merchant: Merchant { base.merchant }

    /// Everybody of some products, or who has an entitlement.
    static func definition(
        _ products: Set<String>, entitlement: String? = nil, days: Int = 3,
        texts: CampaignTexts = CampaignTexts()
    ) -> CampaignDefinition {
        CampaignDefinition(
            .outage(
                OutageCampaign(
                    name: "outage-2026-02", bundleID: World.bundleID,
                    from: World.instant("2026-02-15T08:00:00Z"),
                    to: World.instant("2026-02-15T20:00:00Z"), products: products,
                    entitlement: entitlement, days: .fixed(days))), texts: texts)
    }

    /// Buys as somebody.
    ///
    /// - Returns: the original transaction.
    @discardableResult
    func buy(
        _ product: String, _ account: String, storefront: String = "USA"
    ) async throws -> Int64 {
        let device = try await base.world.device(account, storefront: storefront)
        let signed = try #require(
            try await store.purchase(PurchaseRequest(productID: product), by: device))
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return try #require(Int64(bought.originalTransactionId))
    }

    /// Starts a campaign and carries it on until the store has no more to do for it.
    func carryOut(_ definition: CampaignDefinition) async throws -> OutageReport {
        _ = try await merchant.startOutage(definition, file: "outage", attachments: [:])
        for _ in 0..<3 {
            try await merchant.settleOutages(waiting: { _ in })
            try await base.deliver()
        }
        try await merchant.settleOutages(waiting: { _ in })
        return try await report()
    }

    func report() async throws -> OutageReport {
        try await merchant.outageReport("outage-2026-02", of: World.bundleID)
    }

    /// How many of the store's subscriptions were extended once, and how many more often.
    static func extended(_ world: World) async throws -> [Int64] {
        try await world.database.read { session in
            let row = try session.row(
                """
                SELECT COUNT(first_extension), COUNT(second_extension) FROM subscription
                """)
            return [try #require(row).integer(0), try #require(row).integer(1)]
        }
    }
}

/// A relay that takes every mail, and keeps it.
actor KeptMails: MailRelay {
    private(set) var recipients: [String] = []
    private(set) var messages: [String] = []

    func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome {
        recipients.append(recipient.text)
        messages.append(String(decoding: message, as: UTF8.self))
        return .delivered(RelayReply(code: 250, text: "taken"))
    }
}

extension OutageReport {
    /// An outcome and reason a line, such as `extended mass 3`.
    var lines: [String] { counts.map { "\($0.outcome) \($0.reason) \($0.count)" } }
}
