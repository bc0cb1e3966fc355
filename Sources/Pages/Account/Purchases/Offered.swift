import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

/// A product as it is offered to the customer: what it is, what it costs, and what follows.
struct Offered {
    private let visit: Visit
    private let name: String
    private let type: String
    private let price: Int64
    private let currency: String
    private let quantity: Int
    private let isShareable: Bool
    /// The chosen plan of a subscription.
    private let option: PlanOption?
    private let offer: OfferTerms?

    /// - Parameters:
    ///   - product: one of what the storefront lists.
    ///   - products: the whole list.
    init(
        _ visit: Visit, _ product: Answer, in products: Answer, _ order: PurchaseOrder
    ) throws {
        self.visit = visit
        name = try product.text("displayName")
        type = try product.text("type")
        price = try product.integer("price")
        currency = try product.text("currency")
        quantity = order.quantity
        isShareable = try product.bool("familyShareable")
        guard product.value["subscription"] != nil else {
            (option, offer) = (nil, nil)
            return
        }
        let terms = try product.object("subscription")
        let plans = try PlanOption.all(of: try terms.text("groupId"), in: products)
            .filter { $0.productID == order.productID }
        let found =
            order.billing.isEmpty
            ? plans.first : plans.first { ($0.billing?.rawValue ?? "") == order.billing }
        guard let chosen = found else {
            throw ErrorBody(.notFound, "notForSale", "This plan is not for sale here.")
        }
        option = chosen
        if let winBack = order.winBack {
            let asked = chosen.winBackOffers.first { $0.optionalText("id") == winBack }
            offer = try asked.flatMap { try OfferTerms($0) }
        } else if order.asksForOffer {
            offer = nil
        } else {
            let billed = try chosen.isMonthly ? terms.object("monthlyBilling") : terms
            if billed.value["introductoryOffer"] == nil {
                offer = nil
            } else {
                offer = try OfferTerms(try billed.object("introductoryOffer"))
            }
        }
    }

    var title: String {
        option == nil ? visit.words.buyTitle(name) : visit.words.subscribeTitle(name)
    }

    /// What the button does: whoever asks first buys nothing yet.
    func button(_ change: Foretelling?) -> String {
        if change?.outcome == .asking { return visit.words.askToBuy }
        return option == nil ? visit.words.buy : visit.words.subscribe
    }

    /// The standard price with its length.
    private var standard: String {
        guard let option else { return visit.locale.amount(price, currency) }
        return visit.words.price(
            visit.locale.amount(option.price, option.currency), every: option.period)
    }

    /// The standard price, which no other price outdoes in size (HIG-22): of several at once what
    /// all of them cost.
    var headline: Offering {
        guard quantity == 1 else {
            return Offering(
                visit.locale.amount(price * Int64(quantity), currency),
                details: ["\(visit.locale.number(quantity)) × \(standard)"], act: nil)
        }
        return Offering(
            standard,
            details: [
                option?.total.map { visit.words.commits(to: visit.locale.amount($0, currency)) }
            ].compactMap { $0 }, act: nil)
    }

    /// Quantity and what is charged today.
    ///
    /// - Parameter change: what the purchase would do; nil where nobody can say.
    func facts(_ change: Foretelling?) -> Facts {
        let words = visit.words
        let isAsking = change?.outcome == .asking
        let charged = change.map { Cell(visit.locale.amount($0.charged, currency)) }
        return Facts([
            (words.quantity, quantity == 1 ? nil : Cell(visit.locale.number(quantity))),
            (words.chargedToday, isAsking ? nil : charged),
            (
                words.returned,
                change.flatMap {
                    $0.returned == 0 ? nil : Cell(visit.locale.amount($0.returned, currency))
                }
            ),
            (words.approval, isAsking ? Cell(words.needsApproval) : nil),
            (words.accountName, Cell(visit.customer.account)),
        ])
    }

    /// What follows, in sentences: an offer's terms with the first payment after it, that it
    /// renews or does not, and that a family can share it.
    func terms(_ change: Foretelling?) throws -> [any PageBlock] {
        let words = visit.words
        var blocks: [any PageBlock] = []
        if let offer {
            blocks.append(Notice(.good, offer.sentence(visit, currency, then: standard)))
        }
        if let offer, offer.isFree, let until = change?.until {
            blocks.append(Prose(words.paymentStarts(standard, day: visit.locale.fullDay(until))))
        }
        if let change, change.outcome == .nothing {
            blocks.append(
                Notice(.plain, option == nil ? words.ownedAlready : words.beginsLater))
        } else if let change, change.waits {
            blocks.append(Notice(.plain, words.beginsLater))
        }
        blocks.append(Prose(kind))
        if isShareable { blocks.append(Prose(words.familyCanShare)) }
        return blocks
    }

    /// What sets its kind apart from the others (HIG-7).
    private var kind: String {
        switch type {
        case "Consumable": visit.words.usedUp
        case "Non-Consumable": visit.words.yoursForGood
        case "Non-Renewing Subscription": visit.words.endsByItself
        default: visit.words.renewsByItself
        }
    }
}
