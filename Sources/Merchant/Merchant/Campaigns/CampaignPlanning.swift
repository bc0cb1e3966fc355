import FoundationEssentials
import MerchantRules
import Storage
public import SubscriptionRules

/// A plan of a campaign: what it would do today.
public struct CampaignPlan: Hashable, Sendable {
    public let id: Int64
    public let bundleID: String
    /// The campaign's name.
    public let name: String
    /// A `CampaignDefinition.Kind`.
    public let kind: String
    public let plannedAt: Instant
    public let totals: PlanTotals
}

/// Which subscribers of a plan are meant.
public struct PlanFilter: Hashable, Sendable {
    public var decision: PlanDecision?
    /// One of `PlanReasons.all`.
    public var reason: String?

    public init(decision: PlanDecision? = nil, reason: String? = nil) {
        self.decision = decision
        self.reason = reason
    }
}

extension Merchant {
    /// How many purchases one page of an audience looks at.
    private static let audiencePage = 100

    /// Plans a campaign for everybody whom it may be for, and keeps the plan with the prices of
    /// today. Nothing else happens. An earlier plan of the name goes, unless it was started.
    ///
    /// - Parameters:
    ///   - file: the campaign's file, which is kept with the plan.
    ///   - attachments: the files that it names.
    /// - Throws: `MerchantError.unknownApp`.
    public func plan(
        _ definition: CampaignDefinition, file: String, attachments: [String: String]
    ) async throws -> CampaignPlan {
        let app = try app(definition.bundleID)
        let now = try await now()
        let audience = Audience(app: app, definition: definition, now: now)
        let files = String(decoding: try JSONEncoder().encode(attachments), as: UTF8.self)
        let id = try await database.write { session in
            try CampaignPlan.insert(definition, of: app.id, file: file, files, at: now, session)
        }
        var totals = PlanTotals()
        var last: Int64 = 0
        while true {
            let after = last
            let page = try await database.read { session in
                try audience.page(after: after, limit: Self.audiencePage, session)
            }
            var rows: [PlannedRow] = []
            for member in page.members {
                let (row, detail) = try definition.planned(member, in: id, at: now)
                totals.add(row, detail, of: member.subscriber)
                rows.append(row)
            }
            let planned = rows
            try await database.write(.together) { session in
                try PlannedRow.insert(planned, session)
            }
            guard let next = page.next else { break }
            last = next
        }
        let sums = totals.inOrder
        let text = try sums.text()
        try await database.write { session in
            try CampaignPlan.complete(
                id, definition.name, of: app.id, totals: text, at: now, session)
        }
        return CampaignPlan(
            id: id, bundleID: definition.bundleID, name: definition.name,
            kind: definition.kind.rawValue, plannedAt: now, totals: sums)
    }

    /// A plan that is complete.
    ///
    /// - Throws: `MerchantError.unknownPlan`.
    public func campaignPlan(_ id: Int64) async throws -> CampaignPlan {
        let found = try await database.read { session in try CampaignPlan.find(id, session) }
        guard let found else { throw MerchantError.unknownPlan(id) }
        return found
    }

    /// The subscribers of a plan, in the order in which the merchant has heard of them.
    ///
    /// - Parameter after: the purchase behind which they are; nil for the first.
    /// - Throws: `MerchantError.unknownPlan`.
    public func subscribers(
        of plan: Int64, _ filter: PlanFilter = PlanFilter(), after: Int64? = nil, limit: Int
    ) async throws -> [PlannedSubscriber] {
        try await database.read { session in
            guard try CampaignPlan.find(plan, session) != nil else {
                throw MerchantError.unknownPlan(plan)
            }
            var condition: SQL = "s.plan = \(plan) AND s.purchase > \(after ?? 0)"
            if let decision = filter.decision {
                condition += " AND s.decision = \(decision.rawValue)"
            }
            if let reason = filter.reason { condition += " AND s.reason = \(reason)" }
            condition += " ORDER BY s.purchase LIMIT \(limit)"
            return try PlannedSubscriber.all(where: condition, session)
        }
    }

    /// Some subscribers of a plan, drawn at random: the same seed draws the same.
    ///
    /// - Throws: `MerchantError.unknownPlan`.
    public func sample(
        of plan: Int64, count: Int, seed: Int64
    ) async throws -> [PlannedSubscriber] {
        let start = PlannedRow.lot(of: "\(plan) \(seed)")
        return try await database.read { session in
            guard try CampaignPlan.find(plan, session) != nil else {
                throw MerchantError.unknownPlan(plan)
            }
            let behind = try PlannedSubscriber.all(
                where: """
                    s.plan = \(plan) AND s.lot >= \(start) ORDER BY s.lot, s.purchase
                    LIMIT \(count)
                    """, session)
            guard behind.count < count else { return behind }
            // The lots are a circle.
            let before = try PlannedSubscriber.all(
                where: """
                    s.plan = \(plan) AND s.lot < \(start) ORDER BY s.lot, s.purchase
                    LIMIT \(count - behind.count)
                    """, session)
            return behind + before
        }
    }
}

extension CampaignDefinition {
    /// What a plan says of a member of its audience.
    fileprivate func planned(
        _ member: AudienceMember, in number: Int64, at now: Instant
    ) throws -> (PlannedRow, PlanDetail) {
        var row = PlannedRow.blank
        row.plan = number
        row.purchase = member.purchase
        row.lot = PlannedRow.lot(of: member.originalTransactionID)
        row.transactionID = member.transactionID
        row.productID = member.productID
        var detail = PlanDetail()
        if let subscriber = member.subscriber {
            row.storefront = subscriber.storefront
            row.currency = subscriber.currency.code
            switch work {
            case .price(let campaign):
                detail = plan(subscriber, by: campaign, at: now, &row)
            case .outage(let campaign):
                detail = plan(subscriber, by: campaign, at: now, &row)
            }
        } else {
            (row.decision, row.reason) = (.leftOut, PlanReasons.unknownTerms)
        }
        row.detail = try detail.text()
        return (row, detail)
    }

    private func plan(
        _ subscriber: CampaignSubscriber, by campaign: PriceCampaign, at now: Instant,
        _ row: inout PlannedRow
    ) -> PlanDetail {
        row.oldPrice = subscriber.price
        row.newPrice = subscriber.price
        if isOfOtherPeriod(subscriber) {
            (row.decision, row.reason) = (.leftOut, LeftOutReason.otherProduct.rawValue)
            return PlanDetail()
        }
        let plan = campaign.plan(for: subscriber, at: now)
        row.newPrice = plan.newPrice
        row.renewal = plan.schedule?.renewal
        switch plan.decision {
        case .included(let explanation):
            (row.decision, row.reason) = (.included, explanation.path.rawValue)
        case .blocked(let reason): (row.decision, row.reason) = (.blocked, reason.rawValue)
        case .leftOut(let reason): (row.decision, row.reason) = (.leftOut, reason.rawValue)
        }
        return PlanDetail(plan)
    }

    /// Whether the campaign's prices are for plans of another length: one SKU may be sold by the
    /// month and by the year.
    func isOfOtherPeriod(_ subscriber: CampaignSubscriber) -> Bool {
        subscriber.items.contains { item in
            periods[item.sku].map { $0 != subscriber.period } ?? false
        }
    }

    private func plan(
        _ subscriber: CampaignSubscriber, by campaign: OutageCampaign, at now: Instant,
        _ row: inout PlannedRow
    ) -> PlanDetail {
        let plan = campaign.plan(for: subscriber, at: now)
        (row.oldPrice, row.newPrice) = (subscriber.price, subscriber.price)
        switch plan.decision {
        case .extended(let end):
            (row.decision, row.reason) = (.included, PlanReasons.extended)
            (row.renewal, row.days) = (end, Int64(plan.days))
        case .notEligible(let refusal):
            (row.decision, row.reason) = (.notEligible, refusal.rawValue)
        case .leftOut(let reason): (row.decision, row.reason) = (.leftOut, reason.rawValue)
        }
        return PlanDetail(plan)
    }
}
