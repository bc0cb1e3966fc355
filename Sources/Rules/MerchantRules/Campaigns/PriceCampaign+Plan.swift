public import SubscriptionRules

extension PriceCampaign {
    /// What the campaign means for one subscriber: whether it reaches it, every date, and what to
    /// know before. A function of its arguments alone.
    ///
    /// - Parameter now: when the campaign begins for the subscriber: nothing is planned before.
    public func plan(for subscriber: CampaignSubscriber, at now: Instant) -> SubscriberPlan {
        plan(for: subscriber, from: start(at: now), contacts: [])
    }

    /// From when days of notice count: a price of App Store Connect is live whenever it is
    /// planned, one of Advanced Commerce begins with the plan.
    func start(at now: Instant) -> Instant {
        route == .appStoreConnect ? live : max(live, now)
    }

    /// The same when some messages are out already: a notice is never repeated, and a request
    /// waits for its week (ACC-11, ACC-12).
    func plan(
        for subscriber: CampaignSubscriber, from start: Instant, contacts: [CampaignContact]
    ) -> SubscriberPlan {
        func plan(_ decision: SubscriberPlan.Decision) -> SubscriberPlan {
            SubscriberPlan(
                originalTransactionID: subscriber.originalTransactionID, decision: decision,
                schedule: nil, oldPrice: subscriber.price, newPrice: subscriber.price,
                warnings: [])
        }
        let changes: [String: Int64]
        do throws(LeftOutReason) {
            changes = try newPrices(for: subscriber)
        } catch {
            return plan(.leftOut(error))
        }
        if let obstacle = obstacle(for: subscriber) { return plan(.blocked(obstacle)) }
        let explanation = explain(
            changes, for: subscriber, from: start, last: LastContacts(contacts))
        guard
            let schedule = schedule(
                explanation, changes, for: subscriber, from: start, contacts: contacts)
        else { return plan(.leftOut(.neverRenews)) }
        let warnings = warnings(explanation, schedule, for: subscriber, from: start)
        let mails = schedule.messages.contains {
            $0.channel == .mail && $0.occasion != .koreanConversion
        }
        if isToldByMerchant, mails, !subscriber.isReachable(by: .mail) {
            var waiting = plan(.blocked(.noMailAddress))
            waiting.warnings = warnings
            return waiting
        }
        return SubscriberPlan(
            originalTransactionID: subscriber.originalTransactionID,
            decision: .included(explanation), schedule: schedule, oldPrice: schedule.oldPrice,
            newPrice: schedule.newPrice, warnings: warnings)
    }

    /// What stands in the way and may pass (ACP-4, INC-7, INC-8).
    private func obstacle(for subscriber: CampaignSubscriber) -> BlockReason? {
        switch subscriber.status {
        case .grace, .billingRetry: return .inBillingRetry
        case .active, .expired, .revoked: break
        }
        switch subscriber.expectation {
        case .inBillingRetry: return .inBillingRetry
        case .willNotRenew: return .renewalOff
        case .renews, .recovered, .turnedOnAgain: return nil
        }
    }

    /// Each item by itself, and what follows for all of them. Items without a new price are part
    /// of the bills.
    private func explain(
        _ changes: [String: Int64], for subscriber: CampaignSubscriber, from start: Instant,
        last: LastContacts
    ) -> BundlePriceExplanation {
        let items = subscriber.items.map { item in
            let change = PriceChange(
                from: item.price, to: changes[item.sku] ?? item.price, in: subscriber.currency)
            let facts = PriceIncreaseExplanation.Subscriber(
                storefront: subscriber.storefront, outlook: subscriber.outlook(of: item),
                previousIncrease: item.lastIncrease, offerBought: subscriber.offerBegan)
            // A renewal that has moved since may lie too near to the mail that went out (INC-3).
            func explanation(
                _ lastSent: [PriceMessage.Channel: Instant]
            ) -> PriceIncreaseExplanation {
                PriceIncreaseExplanation(
                    change, for: facts, route: route, live: max(start, lastSent[.mail] ?? start),
                    thresholds: thresholds, lastSent: lastSent)
            }
            let first = explanation([:])
            let isNotice = first.decision.path == .notice
            return BundlePriceExplanation.Item(
                sku: item.sku, dependents: item.dependents,
                explanation: isNotice && !last.noticed.isEmpty ? explanation(last.noticed) : first)
        }
        return BundlePriceExplanation(
            items, route: route, live: start, thresholds: thresholds, lastAsked: last.asked)
    }
}

/// The last message on each channel, about a notice and about a request.
private struct LastContacts {
    var noticed: [PriceMessage.Channel: Instant] = [:]
    var asked: [PriceMessage.Channel: Instant] = [:]

    init(_ contacts: [CampaignContact]) {
        for contact in contacts {
            // What is on its way counts as sent.
            guard let moment = contact.last ?? contact.requested else { continue }
            switch contact.occasion {
            case .notice: noticed[contact.channel] = moment
            case .consent: asked[contact.channel] = moment
            case .koreanConversion: break
            }
        }
    }
}
