import AppStoreWire
import Crypto
import FoundationEssentials
import SubscriptionRules

/// What signed data says of a merchant's own plans (JWS-6).
extension AdvancedCommerceTransactionInfo {
    /// What a period of a plan says; nil for the catalogue's.
    init?(_ plan: Plan) {
        guard let merchant = plan.merchant else { return nil }
        self.init(
            descriptors: AdvancedCommerceDescriptors(merchant.texts),
            items: plan.lines.map { line in
                let texts = line.texts ?? merchant.texts
                return AdvancedCommerceTransactionItem(
                    sku: line.sku, displayName: texts.displayName, description: texts.description,
                    price: line.price, offer: line.offer.flatMap(AdvancedCommerceOffer.init))
            },
            period: AdvancedCommercePeriod(rawValue: plan.period.iso8601),
            requestReferenceId: merchant.requestID, taxCode: merchant.taxCode)
    }
}

extension AdvancedCommerceRenewalInfo {
    /// What comes next for a subscription, or came last where it is over; nil for the catalogue's
    /// plans.
    init?(_ subscription: Subscription) {
        let next = subscription.isOver ? subscription.plan : subscription.renewalPlan
        guard let merchant = next.merchant else { return nil }
        self.init(
            consistencyToken: subscription.consistencyToken,
            descriptors: AdvancedCommerceDescriptors(merchant.texts),
            items: next.lines.map { line in
                let texts = line.texts ?? merchant.texts
                // What is called something else from the renewal on keeps its increase (ACS-8).
                let current =
                    subscription.nextPlan?.line(line.sku).map(subscription.increaseKey)
                    ?? line.sku
                let increase = subscription.increaseInfo(of: current)
                // Beside an increase stands the price before it.
                let before = increase.flatMap { _ in subscription.plan.line(current)?.price }
                return AdvancedCommerceRenewalItem(
                    sku: line.sku, displayName: texts.displayName, description: texts.description,
                    price: before ?? line.price,
                    offer: line.offer.flatMap(AdvancedCommerceOffer.init),
                    priceIncreaseInfo: increase)
            },
            period: AdvancedCommercePeriod(rawValue: next.period.iso8601),
            requestReferenceId: merchant.requestID, taxCode: merchant.taxCode)
    }
}

extension Subscription {
    /// Names what the subscription is now: whoever sends it back learns of changes that somebody
    /// else made since. It follows from what renewal info says.
    var consistencyToken: String {
        let said = [
            PlanText.text(plan), nextPlan.map { PlanText.text($0) } ?? "",
            "\(renewsAutomatically) \(newestPeriod.end.milliseconds) \(isRevoked)",
            increases.sorted { $0.key < $1.key }.map { sku, increase in
                "\(sku) \(increase.price) \(increase.isAccepted as Any) \(increase.dependents)"
            }.joined(separator: "\n"),
            conversion.map { "\($0.items) \($0.isAsked) \($0.agreed != nil)" } ?? "",
        ].joined(separator: "\n")
        var bytes = Array(SHA256.hash(data: Array(said.utf8)).prefix(16))
        // The form of a UUID that is made by a rule of one's own (RFC 9562, version 8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        return "1.\(newestPeriod.transactionID).\(uuid.uuidString.lowercased())"
    }

    /// How far the increase of an item has come; nil without one, and where another plan comes.
    fileprivate func increaseInfo(of sku: String) -> AdvancedCommercePriceIncreaseInfo? {
        guard let (line, increase) = comingIncreases.first(where: { $0.line.sku == sku }),
            increase.price > line.price
        else { return conversionInfo(of: sku) }
        // Who refused may agree as long as the period runs.
        let status: AdvancedCommercePriceIncreaseStatus =
            switch increase.phase {
            case .waiting, .planned: .scheduled
            case .asked, .declined: .pending
            case .accepted: .accepted
            }
        return AdvancedCommercePriceIncreaseInfo(
            price: increase.price, status: status,
            dependentSKUs: increase.dependents.isEmpty ? nil : increase.dependents)
    }

    /// The standard price that a Korean customer is asked about at the end of an item's offer
    /// (KOR-5); nil where nobody was asked.
    private func conversionInfo(of sku: String) -> AdvancedCommercePriceIncreaseInfo? {
        guard !isOver, let conversion, conversion.isAsked, conversion.items.contains(sku),
            let line = plan.line(sku)
        else { return nil }
        return AdvancedCommercePriceIncreaseInfo(
            price: line.price, status: conversion.agreed == nil ? .pending : .accepted)
    }
}

extension AdvancedCommerceDescriptors {
    init(_ texts: DisplayTexts) {
        self.init(displayName: texts.displayName, description: texts.description)
    }
}

extension AdvancedCommerceOffer {
    /// An offer that a request brought: its identifier is its reason.
    init(_ offer: AppliedOffer) {
        self.init(
            period: AdvancedCommerceOfferPeriod(rawValue: offer.period.iso8601),
            periodCount: offer.wholePeriod.count / offer.period.count, price: offer.price,
            reason: AdvancedCommerceOfferReason(rawValue: offer.id))
    }
}
