import HTTPSurface
import Journal

extension ConnectSurface {
    /// An entry of a timeline: each member has a sentence, or this does not compile.
    static let timelineEntrySchema = Schema.object(
        "One event.",
        TimelineEntry.Member.allCases.map { member in
            switch member {
            case .sequence, .at, .event, .notices: .required(member.rawValue, member.schema)
            default: .optional(member.rawValue, member.schema)
            }
        })
}

extension TimelineEntry.Member {
    fileprivate var schema: Schema {
        switch self {
        case .sequence: .integer("Its place in the journal.")
        case .at: .moment("When it happened.")
        case .event: .text("What happened.")
        case .transactionID: .identifier("The transaction that it made or concerns.")
        case .amount: .total("What was charged")
        case .currency: .currency()
        case .productID: .text("The product after the event.")
        case .nextProductID: .text("A product that waits for the next renewal.")
        case .planChange:
            .choice(
                "How a plan that was chosen relates to the one before.",
                JournalDetail.PlanStep.allCases.map(\.rawValue))
        case .until: .moment("The end of the newest period after the event.")
        case .offerMode:
            .choice("How a discount of the new period is paid.", ConnectSurface.offerModes)
        case .offer: ConnectSurface.namedOffer("The offer that the new period is under.")
        case .nextOffer: ConnectSurface.namedOffer("The offer that waits for a renewal then.")
        case .commitmentMonth: .integer("The month of the commitment after the event.", 1...12)
        case .declined: .total("What the bank declined")
        case .pending: .total("What the bank has still to answer")
        case .billID: .identifier("The bill that it is about, where it was not paid at once.")
        case .billProductID: .text("What that bill is for, where it is not `productId`.")
        case .refunded: .total("What was given back")
        case .takenAgain:
            .total(
                "What a reversal took of that again: over a whole timeline `amount` - `refunded` "
                    + "+ `takenAgain` is what was paid")
        case .graceUntil:
            .moment("The end of a grace period, or of access while a payment is awaited.")
        case .oldPrice: .price("What a period cost, or was to cost, when a new price came up")
        case .newPrice: .price("The new price that the event is about")
        case .newPriceFrom:
            .moment(
                "The renewal that first charges a higher price; absent while another plan waits "
                    + "for the renewal, which begins before.")
        case .pricedProductID:
            .text(
                "What the new price is for, where that is the product that waits for the next "
                    + "renewal.")
        case .note:
            .text(
                "What else there is to say: a customer's reason, why an extension failed, the "
                    + "identifier of a mass extension, why a family member lost access.")
        case .notices:
            .list("What the developer was told.", of: .text("Such as EXPIRED/VOLUNTARY."))
        case .provoked: .text("What the operator made the developer be told at will.")
        case .member: .text("The family member who gained or lost what is shared.")
        case .transactionRevoked:
            .boolean(
                "Whether this refund gave back what was left of the transaction: no other can be "
                    + "reversed. Absent otherwise.")
        case .items:
            .list("What became of the items of a merchant's plan.", of: .named("Alteration"))
        case .revoked:
            .boolean(
                "Whether a merchant's subscription stands revoked after this refund or reversal.")
        }
    }
}
