import Storage
import SubscriptionRules

/// What a campaign that was planned or started was made of, with values for its texts.
public struct CampaignSource: Hashable, Sendable {
    /// The file, as it was given.
    public let file: String
    /// The files that it names.
    public let attachments: [String: String]
    /// What its texts say of one of those whom it reaches; empty where nobody is known.
    public let example: [CampaignPlace: String]
}

extension Merchant {
    /// What a campaign was made of: the one that was started, else the newest plan.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`.
    public func campaignSource(
        _ name: String, of bundleID: String
    ) async throws -> CampaignSource {
        let app = try app(bundleID)
        let found = try await database.read { session in
            try CampaignSource.find(name, of: app.id, session)
        }
        guard let found else { throw MerchantError.unknownCampaign(name) }
        return found
    }

    /// What a plan was made of, without values for its texts.
    ///
    /// - Throws: `MerchantError.unknownPlan`.
    public func campaignSource(ofPlan id: Int64) async throws -> CampaignSource {
        let found = try await database.read { session in
            try CampaignSource.find(plan: id, session)
        }
        guard let found else { throw MerchantError.unknownPlan(id) }
        return found
    }
}

extension CampaignSource {
    fileprivate static func find(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> CampaignSource? {
        let plan = try session.row(
            """
            SELECT id, file, attachments FROM campaign_plan
            WHERE app = \(app) AND name = \(name) AND is_complete = 1 ORDER BY id DESC LIMIT 1
            """)
        if let row = try CampaignRow.find(name, of: app, session) {
            return CampaignSource(
                file: row.file, attachments: try CampaignRow.files(row.attachments),
                example: try example(ofPlan: plan?.integer(0), row.id, session))
        }
        guard let plan else { return nil }
        return CampaignSource(
            file: try plan.text(1), attachments: try CampaignRow.files(try plan.text(2)),
            example: try example(ofPlan: try plan.integer(0), nil, session))
    }

    fileprivate static func find(
        plan id: Int64, _ session: any Session
    ) throws(StorageError) -> CampaignSource? {
        let row = try session.row(
            """
            SELECT file, attachments FROM campaign_plan WHERE id = \(id) AND is_complete = 1
            """)
        guard let row else { return nil }
        return CampaignSource(
            file: try row.text(0), attachments: try CampaignRow.files(try row.text(1)),
            example: [:])
    }

    /// The values of the first whom the campaign reaches, by the plan, else as it was begun.
    private static func example(
        ofPlan plan: Int64?, _ campaign: Int64?, _ session: any Session
    ) throws(StorageError) -> [CampaignPlace: String] {
        var row: Row?
        if let plan {
            row = try session.row(
                """
                SELECT currency, old_price, new_price, renewal_at, days FROM campaign_subscriber
                WHERE plan = \(plan) AND decision = 'included' ORDER BY purchase LIMIT 1
                """)
        }
        if row == nil, let campaign {
            row = try session.row(
                """
                SELECT currency, old_price, new_price, NULL, NULL FROM price_subscriber
                WHERE campaign = \(campaign) ORDER BY purchase LIMIT 1
                """)
        }
        guard let row else { return [:] }
        var values: [CampaignPlace: String] = [.manageUrl: CampaignPlace.subscriptionsURL]
        if let currency = try row.textOrNil(0) {
            values[.oldPrice] = try row.integerOrNil(1).map { Money.plainText($0, currency) }
            values[.newPrice] = try row.integerOrNil(2).map { Money.plainText($0, currency) }
        }
        values[.date] = try row.integerOrNil(3).map {
            String(Instant(milliseconds: $0).iso8601.prefix(10))
        }
        values[.days] = try row.integerOrNil(4).map { String($0) }
        return values
    }
}
