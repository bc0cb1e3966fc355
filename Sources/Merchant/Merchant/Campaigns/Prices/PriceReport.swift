public import MerchantRules
import Storage
import SubscriptionRules

/// What has come of a price campaign, or what a rehearsal says will: both have this form.
public struct CampaignReport: Hashable, Sendable {
    /// How many subscribers got an outcome on a day.
    public struct Day: Hashable, Sendable {
        /// The day in UTC, such as `2027-03-01`.
        public let day: String
        public let outcome: String
        public let count: Int64
    }

    /// How many subscribers of a kind have an outcome.
    public struct Cohort: Hashable, Sendable {
        /// What is asked of them, or why the campaign leaves them out.
        public let cohort: String
        public let productID: String
        public let storefront: String?
        public let outcome: String
        public let count: Int64
    }

    /// What a group pays a period, in milliunits of a currency.
    public struct Money: Hashable, Sendable {
        public let currency: String
        /// Whether they are those whom the campaign leaves out, with whom the others are compared.
        public let isControl: Bool
        public let subscribers: Int64
        /// When the campaign began.
        public let before: Int64
        /// Now: who does not renew pays nothing.
        public let after: Int64
        /// How many renew still.
        public let renewing: Int64
    }

    public let bundleID: String
    public let name: String
    /// Whether answers were made up.
    public let isRehearsed: Bool
    /// The counts of the outcomes add up to it.
    public let audience: Int64
    public let outcomes: [CampaignRun.Count]
    public let days: [Day]
    public let cohorts: [Cohort]
    public let money: [Money]
}

/// One subscriber as a report counts it.
struct ReportedSubscriber: Sendable {
    let outcome: CampaignOutcome
    let at: Instant
    let cohort: String
    let productID: String
    let storefront: String?
    let currency: String?
    let before: Int64
    /// Nil where it does not renew.
    let after: Int64?
}

/// Sums that a report is made of.
struct ReportSums: Sendable {
    private struct Group: Hashable {
        let cohort: String
        let productID: String
        let storefront: String?
        let outcome: String
    }

    private struct Purse: Hashable {
        let currency: String
        let isControl: Bool
    }

    private var outcomes: [String: Int64] = [:]
    private var days: [String: [String: Int64]] = [:]
    private var cohorts: [Group: Int64] = [:]
    private var money: [Purse: [Int64]] = [:]

    mutating func add(_ one: ReportedSubscriber) {
        let outcome = one.outcome.rawValue
        outcomes[outcome, default: 0] += 1
        days[String(one.at.iso8601.prefix(10)), default: [:]][outcome, default: 0] += 1
        let group = Group(
            cohort: one.cohort, productID: one.productID, storefront: one.storefront,
            outcome: outcome)
        cohorts[group, default: 0] += 1
        guard let currency = one.currency else { return }
        let purse = Purse(currency: currency, isControl: one.outcome == .leftOut)
        var sums = money[purse] ?? [0, 0, 0, 0]
        sums[0] += 1
        sums[1] += one.before
        sums[2] += one.after ?? 0
        sums[3] += one.after == nil ? 0 : 1
        money[purse] = sums
    }

    func report(of name: String, in bundleID: String, isRehearsed: Bool) -> CampaignReport {
        let groups = cohorts.sorted { first, second in
            let keys = [first.key, second.key].map {
                [$0.cohort, $0.productID, $0.storefront ?? "", $0.outcome]
            }
            return keys[0].lexicographicallyPrecedes(keys[1])
        }
        let purses = money.sorted { first, second in
            if first.key.currency != second.key.currency {
                return first.key.currency < second.key.currency
            }
            return !first.key.isControl && second.key.isControl
        }
        return CampaignReport(
            bundleID: bundleID, name: name, isRehearsed: isRehearsed,
            audience: outcomes.values.reduce(0, +),
            outcomes: outcomes.sorted { $0.key < $1.key }.map {
                CampaignRun.Count(name: $0.key, detail: nil, count: $0.value)
            },
            days: days.sorted { $0.key < $1.key }.flatMap { day, counts in
                counts.sorted { $0.key < $1.key }.map {
                    CampaignReport.Day(day: day, outcome: $0.key, count: $0.value)
                }
            },
            cohorts: groups.map { group, count in
                CampaignReport.Cohort(
                    cohort: group.cohort, productID: group.productID,
                    storefront: group.storefront, outcome: group.outcome, count: count)
            },
            money: purses.map { purse, sums in
                CampaignReport.Money(
                    currency: purse.currency, isControl: purse.isControl, subscribers: sums[0],
                    before: sums[1], after: sums[2], renewing: sums[3])
            })
    }
}

extension Merchant {
    /// What has come of a campaign so far.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`, `otherCampaignKind`.
    public func campaignReport(_ name: String, of bundleID: String) async throws -> CampaignReport {
        let row = try await campaignRow(name, of: bundleID, .price)
        var sums = ReportSums()
        var last: Int64 = 0
        while true {
            let after = last
            let page = try await database.read { session in
                try PriceSubscriberRow.all(
                    where: """
                        campaign = \(row.id) AND purchase > \(after)
                        ORDER BY purchase LIMIT 500
                        """, session)
            }
            for one in page {
                sums.add(
                    ReportedSubscriber(
                        outcome: one.outcome, at: one.outcomeAt, cohort: one.cohort,
                        productID: one.productID, storefront: one.storefront,
                        currency: one.currency, before: one.oldPrice,
                        after: one.isRenewing ? one.priceNow : nil))
            }
            guard let end = page.last?.purchase else { break }
            last = end
        }
        return sums.report(of: name, in: bundleID, isRehearsed: false)
    }

    /// Plays a price campaign to its end on the merchant's registers alone, with answers that were
    /// made up: nothing is kept, sent or called, and no store is asked.
    ///
    /// - Throws: `MerchantError.unknownApp`, `otherCampaignKind`.
    public func rehearse(
        _ definition: CampaignDefinition, answers: RehearsedAnswers
    ) async throws -> CampaignReport {
        let app = try app(definition.bundleID)
        guard case .price(let campaign) = definition.work else {
            throw MerchantError.otherCampaignKind(definition.name)
        }
        let now = try await now()
        let audience = Audience(app: app, definition: definition, now: now)
        var sums = ReportSums()
        var last: Int64 = 0
        while true {
            let after = last
            let page = try await database.read { session in
                try audience.page(after: after, limit: 100, session)
            }
            for member in page.members {
                sums.add(Self.rehearsed(member, campaign, definition, answers, at: now))
            }
            guard let next = page.next else { break }
            last = next
        }
        return sums.report(of: definition.name, in: definition.bundleID, isRehearsed: true)
    }

    private static func rehearsed(
        _ member: AudienceMember, _ campaign: PriceCampaign, _ definition: CampaignDefinition,
        _ answers: RehearsedAnswers, at now: Instant
    ) -> ReportedSubscriber {
        guard let subscriber = member.subscriber, !definition.isOfOtherPeriod(subscriber) else {
            let known = member.subscriber
            return ReportedSubscriber(
                outcome: .leftOut, at: now,
                cohort: known == nil
                    ? PlanReasons.unknownTerms : LeftOutReason.otherProduct.rawValue,
                productID: member.productID, storefront: known?.storefront,
                currency: known?.currency.code, before: known?.price ?? 0, after: known?.price)
        }
        let played = campaign.rehearse(subscriber, answers: answers, at: now)
        let ends = played.steps.map(\.moment) + played.bills.map(\.moment)
        return ReportedSubscriber(
            outcome: played.outcome, at: ends.max() ?? now, cohort: played.plan.cohort,
            productID: member.productID, storefront: subscriber.storefront,
            currency: subscriber.currency.code, before: subscriber.price, after: played.price)
    }
}

extension SubscriberPlan {
    /// Whom reports put together.
    fileprivate var cohort: String {
        switch decision {
        case .included: schedule?.path.rawValue ?? ""
        case .blocked(let reason): reason.rawValue
        case .leftOut(let reason): reason.rawValue
        }
    }
}
