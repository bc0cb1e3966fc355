import AppStoreWire
import ArgumentParser
import SubscriptionRules

/// When a change happens, as it is typed.
enum EffectiveWord: String, ExpressibleByArgument, CaseIterable {
    case now, next

    var wire: AdvancedCommerceEffective { self == .now ? .immediately : .nextBillCycle }
}

/// Why money is asked back, by Apple's names.
enum RefundReasonWord: String, ExpressibleByArgument, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
    case modifyItemsRefund = "MODIFY_ITEMS_REFUND"
    case simulateRefundDecline = "SIMULATE_REFUND_DECLINE"

    var wire: AdvancedCommerceRefundReason { AdvancedCommerceRefundReason(rawValue: rawValue) }
}

/// How much is asked back of a whole subscription, as it is typed.
enum RefundTypeWord: String, ExpressibleByArgument, CaseIterable {
    case full, prorated

    var wire: AdvancedCommerceRefundType {
        AdvancedCommerceRefundType(rawValue: RequestPieces.wire(rawValue))
    }
}

/// Yes or no, as it is typed.
enum YesOrNo: String, ExpressibleByArgument, CaseIterable {
    case yes, no
}

/// Reads what is typed for the items of a request: parts with colons between, prices as they are
/// said, in one currency.
///
/// What Apple's numbers refuse, such as a name that is too long, is taken as it is, so that it can
/// be tried.
struct RequestPieces {
    let currency: Currency

    /// A word as Apple's JSON has it: `apply-offer` is `APPLY_OFFER`.
    static func wire(_ word: String) -> String {
        word.uppercased().replacing("-", with: "_")
    }

    /// The parts of what was typed.
    ///
    /// - Parameters:
    ///   - counts: how many there may be.
    ///   - form: how it is written.
    static func parts(
        _ text: String, _ counts: ClosedRange<Int>, _ form: String
    ) throws -> [String] {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard counts.contains(parts.count) else {
            throw ValidationError(
                "'\(text)' is no such item: write \(form). What has colons of its own goes into "
                    + "a --file.")
        }
        return parts
    }

    func price(_ text: String) throws -> Int64 { try Reading.price(text, currency) }

    /// An item that is bought once: `lesson:A lesson:One hour:24.99`.
    func chargeItem(_ text: String) throws -> AdvancedCommerceOneTimeChargeItem {
        let parts = try Self.parts(text, 4...4, "SKU:NAME:DESCRIPTION:PRICE")
        return AdvancedCommerceOneTimeChargeItem(
            sku: parts[0], displayName: parts[1], description: parts[2],
            price: try price(parts[3]))
    }

    /// An item of a new subscription: `news:News:All the news:9.99`, with an offer behind it.
    func createItem(_ text: String) throws -> AdvancedCommerceSubscriptionCreateItem {
        let parts = try Self.parts(text, 4...5, "SKU:NAME:DESCRIPTION:PRICE[:OFFER]")
        return AdvancedCommerceSubscriptionCreateItem(
            sku: parts[0], displayName: parts[1], description: parts[2],
            price: try price(parts[3]), offer: try parts.dropFirst(4).first.map(offer))
    }

    /// An item that is added, with an offer or `prorated,4.50` behind it.
    func addItem(_ text: String) throws -> AdvancedCommerceSubscriptionModifyAddItem {
        let parts = try Self.parts(text, 4...5, "SKU:NAME:DESCRIPTION:PRICE[:EXTRA]")
        let extra = try extra(parts.dropFirst(4).first)
        return AdvancedCommerceSubscriptionModifyAddItem(
            sku: parts[0], displayName: parts[1], description: parts[2],
            price: try price(parts[3]), offer: extra.offer, proratedPrice: extra.prorated)
    }

    /// An item that takes another one's place:
    /// `news:news.plus:News plus:All of it:14.99:upgrade:now`.
    func changeItem(_ text: String) throws -> AdvancedCommerceSubscriptionModifyChangeItem {
        let parts = try Self.parts(
            text, 7...8, "CURRENT:SKU:NAME:DESCRIPTION:PRICE:REASON:WHEN[:EXTRA]")
        guard let effective = EffectiveWord(rawValue: parts[6]) else {
            throw ValidationError("'\(parts[6])' in '\(text)' is no time: write now or next.")
        }
        let extra = try extra(parts.dropFirst(7).first)
        return AdvancedCommerceSubscriptionModifyChangeItem(
            currentSKU: parts[0], sku: parts[1], displayName: parts[2], description: parts[3],
            price: try price(parts[4]), offer: extra.offer, proratedPrice: extra.prorated,
            effective: effective.wire,
            reason: AdvancedCommerceReason(rawValue: Self.wire(parts[5])))
    }

    private func extra(
        _ text: String?
    ) throws -> (offer: AdvancedCommerceOffer?, prorated: Int64?) {
        guard let text else { return (nil, nil) }
        guard text.hasPrefix("prorated,") else { return (try offer(text), nil) }
        return (nil, try price(String(text.dropFirst("prorated,".count))))
    }

    /// An offer: `acquisition,P1M,3,0.99` is 0.99 for each of three months.
    private func offer(_ text: String) throws -> AdvancedCommerceOffer {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let count = Int(parts[2]) else {
            throw ValidationError(
                "'\(text)' is no offer: write REASON,PERIOD,COUNT,PRICE, such as "
                    + "acquisition,P1M,3,0.99.")
        }
        return AdvancedCommerceOffer(
            period: AdvancedCommerceOfferPeriod(rawValue: parts[1]), periodCount: count,
            price: try price(parts[3]),
            reason: AdvancedCommerceOfferReason(rawValue: Self.wire(parts[0])))
    }

    /// A new price: `news:10.99`, with what depends on it behind: `news:10.99:chess,sport`.
    func priceItem(_ text: String) throws -> AdvancedCommerceSubscriptionPriceChangeItem {
        let parts = try Self.parts(text, 2...3, "SKU:PRICE[:DEPENDENT,DEPENDENT]")
        return AdvancedCommerceSubscriptionPriceChangeItem(
            sku: parts[0], price: try price(parts[1]),
            dependentSKUs: parts.dropFirst(2).first?.split(separator: ",").map(String.init))
    }

    /// New names: `news:news.daily:The daily:All of it`; an empty part stays as it is.
    static func metadataItem(
        _ text: String, _ effective: AdvancedCommerceEffective
    ) throws -> AdvancedCommerceSubscriptionChangeMetadataItem {
        let parts = try Self.parts(text, 2...4, "CURRENT:SKU:NAME:DESCRIPTION")
            .map { $0.isEmpty ? nil : $0 }
        return AdvancedCommerceSubscriptionChangeMetadataItem(
            currentSKU: parts[0] ?? "", effective: effective, sku: parts[1],
            displayName: parts.count > 2 ? parts[2] : nil,
            description: parts.count > 3 ? parts[3] : nil)
    }

    /// What is asked back: `news:full`, `news:prorated` or `news:custom:2.50`.
    func refundItem(
        _ text: String, _ reason: RefundReasonWord, revoke: Bool
    ) throws -> AdvancedCommerceRequestRefundItem {
        let parts = try Self.parts(text, 2...3, "SKU:TYPE[:AMOUNT]")
        return AdvancedCommerceRequestRefundItem(
            sku: parts[0], refundReason: reason.wire,
            refundType: AdvancedCommerceRefundType(rawValue: Self.wire(parts[1])), revoke: revoke,
            refundAmount: try parts.dropFirst(2).first.map(price))
    }
}
