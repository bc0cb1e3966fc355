import MerchantRules
import Storage
import SubscriptionRules

/// A price campaign that was started, at a moment of its work.
struct PriceRun: Sendable {
    let row: CampaignRow
    let app: Merchant.ServedApp
    let definition: CampaignDefinition
    let campaign: PriceCampaign
    let now: Instant

    /// Nil for a campaign that changes no prices.
    init?(
        _ row: CampaignRow, of app: Merchant.ServedApp, _ definition: CampaignDefinition,
        at now: Instant
    ) {
        guard case .price(let campaign) = definition.work else { return nil }
        self.row = row
        self.app = app
        self.definition = definition
        self.campaign = campaign
        self.now = now
    }

    private var audience: Audience { Audience(app: app, definition: definition, now: now) }

    /// A subscriber as the registers know it now; nil where they do not say what is paid.
    func subscriber(
        of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> CampaignSubscriber? {
        try audience.one(purchase, session)?.subscriber
    }

    /// When a week of a subscriber's is over, which Sandbox shortens with the periods.
    func endOfWeek(of purchase: Int64, _ session: any Session) throws(StorageError) -> Instant {
        guard let subscriber = try subscriber(of: purchase, session) else { return now + .days(7) }
        return now + subscriber.tempo.span(days: 7, of: subscriber.period)
    }

    // MARK: The audience
    // Everybody of it has one row, and so one state and one outcome (CMP-34).

    /// Writes down some more of the audience.
    ///
    /// - Returns: the purchase behind which the rest is; nil where nobody is left.
    func begin(after last: Int64, _ session: any Session) throws -> Int64? {
        let page = try audience.page(after: last, limit: 50, session)
        for member in page.members { try begin(member, session) }
        return page.next
    }

    private func begin(_ member: AudienceMember, _ session: any Session) throws {
        var row = PriceSubscriberRow.blank
        row.campaign = self.row.id
        row.purchase = member.purchase
        row.productID = member.productID
        row.outcomeAt = now
        guard let subscriber = member.subscriber else {
            row.cohort = PlanReasons.unknownTerms
            let record = PriceCampaignState(
                state: .leftOut(.otherProduct), schedule: nil, began: now)
            return try save(&row, record, isUntried: true, session)
        }
        let asked = try recentRequests(of: member.purchase, session)
        var record = campaign.begin(for: subscriber, at: now, asked: asked)
        if definition.isOfOtherPeriod(subscriber) {
            record = PriceCampaignState(
                state: .leftOut(.otherProduct), schedule: nil, began: now)
        }
        if record.state.code != .leftOut, try isTaken(member.purchase, session) {
            record.state = .leftOut(.otherCampaignRuns)
            record.schedule = nil
        }
        row.storefront = subscriber.storefront
        row.currency = subscriber.currency.code
        row.oldPrice = subscriber.price
        row.newPrice = record.schedule?.newPrice ?? subscriber.price
        row.cohort = record.schedule?.path.rawValue ?? record.state.detail ?? ""
        let sight = PriceSight(subscriber, paid: member.paidPrice ?? subscriber.price)
        row.sight = try sight.text
        row.priceNow = sight.price
        row.isRenewing = sight.standing == .running && sight.expectation != .off
        try save(&row, record, isUntried: true, session)
    }

    /// Whether another campaign keeps a subscriber; one whose place this one takes does not, unless
    /// the store has its price already.
    private func isTaken(_ purchase: Int64, _ session: any Session) throws -> Bool {
        guard let other = try PriceSubscriberRow.other(than: row.id, for: purchase, session)
        else { return false }
        guard campaign.reasonWhereAnotherRuns == nil,
            var before = try PriceSubscriberRow.locked(other, purchase, session)
        else { return true }
        let state = try PriceStateText.record(of: before).state
        guard state != .called, state.code != .callable else { return true }
        // Also of who has declined: this one asks again.
        var record = try PriceStateText.record(of: before)
        record.state = .withdrawn(.superseded)
        record.schedule?.messages = []
        try PriceMessageRow.drop(in: other, of: purchase, session)
        try dropCalls(of: &record, in: other, purchase, session)
        try save(&before, record, session)
        return false
    }

    /// What other campaigns have asked a subscriber for within the week before.
    private func recentRequests(
        of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [CampaignContact] {
        guard campaign.isToldByMerchant else { return [] }
        let others = try PriceSubscriberRow.all(
            where: "purchase = \(purchase) AND campaign <> \(row.id) ORDER BY campaign", session)
        var asked: [CampaignContact] = []
        for other in others {
            for one in try PriceStateText.record(of: other).recentRequests(at: now) {
                let place = asked.firstIndex {
                    $0.occasion == one.occasion && $0.channel == one.channel
                }
                guard let place else {
                    asked.append(one)
                    continue
                }
                let before = asked[place].notBefore ?? now
                if let end = one.notBefore, end > before { asked[place] = one }
            }
        }
        return asked
    }

    // MARK: One subscriber

    /// Takes in what the registers say of a subscriber, then what has happened besides, and does
    /// what is due: all in one transaction, with the rows of what follows.
    ///
    /// - Returns: whether there is such a subscriber.
    @discardableResult
    func look(
        at purchase: Int64, _ events: [CampaignEvent] = [], _ session: any Session
    ) throws -> Bool {
        guard var row = try PriceSubscriberRow.locked(self.row.id, purchase, session) else {
            return false
        }
        guard let member = try audience.one(purchase, session),
            let subscriber = member.subscriber
        else {
            row.due = now + .days(1)
            try row.save(session)
            return true
        }
        let before = try PriceSight.read(row.sight)
        let sight = PriceSight(subscriber, paid: member.paidPrice ?? subscriber.price)
        var record = try PriceStateText.record(of: row)
        let asked = Set(record.schedule?.askedSKUs ?? [])
            .union(record.schedule?.conversion?.skus ?? [])
        var news = before?.events(until: sight, asked: asked, isLapsed: member.isLapsed) ?? []
        // Another storefront has other prices, and nothing of what was said or agreed to holds
        // there: a call would name the one's price in the other's currency.
        if let storefront = row.storefront, storefront != subscriber.storefront {
            news.append(.productChanged)
        }
        let step = PriceStep(self, member, subscriber)
        // While it is paused answers are kept, and nothing goes out: no sheet either.
        record.isPaused = self.row.state == .paused
        try step.take(news + events + [.momentReached], &record, session)
        let isPaused = record.isPaused
        record.isPaused = false
        row.sight = try sight.text
        row.priceNow = sight.price
        row.isRenewing = sight.standing == .running && sight.expectation != .off
        try save(&row, record, isUntried: isPaused, session)
        return true
    }

    /// Keeps a subscriber's state, and when it is due again.
    ///
    /// - Parameter isUntried: whether what is due was not tried yet.
    private func save(
        _ row: inout PriceSubscriberRow, _ record: PriceCampaignState, isUntried: Bool = false,
        _ session: any Session
    ) throws {
        row.state = record.state.code
        row.detail = record.state.detail
        if row.outcome != record.outcome { row.outcomeAt = now }
        row.outcome = record.outcome
        row.record = try PriceStateText(record).text()
        row.isOver = record.state.isOver || !row.isRunning
        row.due = nil
        if let next = record.nextMoment {
            // What is past and did not happen waits for something that is not a moment.
            row.due = isUntried || next > now ? next : now + .hours(1)
        } else if record.state == .blocked(.noMailAddress) {
            row.due = now + .days(1)
        }
        try row.save(session)
    }

    /// Drops the calls of somebody for whom the campaign has ended or waits, which were on their
    /// way then and which the store has not judged.
    func dropUnwantedCalls(of purchase: Int64, _ session: any Session) throws {
        guard var row = try PriceSubscriberRow.locked(self.row.id, purchase, session) else {
            return
        }
        var record = try PriceStateText.record(of: row)
        // Whose offer nobody agreed to pay after is cancelled all the same (KOR-5).
        let isCancelled = record.state == .withdrawn(.expiredWithoutConsent)
        guard !record.isRunning, !isCancelled else { return }
        try dropCalls(of: &record, in: self.row.id, purchase, session)
        // What is due of it stays due.
        row.record = try PriceStateText(record).text()
        try row.save(session)
    }

    /// Drops calls that were never made: the rules may ask for them again.
    func dropCalls(
        of record: inout PriceCampaignState, in campaign: Int64, _ purchase: Int64,
        _ session: any Session
    ) throws {
        let calls = try PriceCallRow.all(in: campaign, of: purchase, session).filter {
            $0.state == .waiting && $0.attempts == 0
        }
        for call in calls {
            guard try call.drop(session) else { continue }
            let skus = try call.changes.map(\.sku)
            for index in (record.schedule?.calls ?? []).indices {
                guard let planned = record.schedule?.calls[index], Set(planned.skus) == Set(skus),
                    planned.isRequested
                else { continue }
                record.schedule?.calls[index].status = .waiting(until: planned.opens)
            }
        }
    }
}

extension SubscriberState {
    /// Whether a campaign does nothing more, whatever happens. Who has only turned renewal off
    /// starts again once it is on.
    fileprivate var isOver: Bool {
        switch self {
        case .applied, .failed, .leftOut: true
        case .withdrawn(let reason): reason != .renewalTurnedOff
        case .planned, .communicating, .consented, .acknowledged, .declined, .callable, .called,
            .carriedOver, .blocked:
            false
        }
    }
}

extension PriceSubscriberRow {
    /// Whether the subscription goes on, as it was seen last.
    fileprivate var isRunning: Bool {
        guard let sight = try? PriceSight.read(sight) else { return true }
        return sight.standing == .running
    }
}
