import Letters
import SubscriptionRules

/// From which price to which, in milliunits: what a letter says of an item, whatever it is called
/// by now.
struct PriceStep: Hashable {
    /// Nil where an offer ends.
    let old: Int64?
    let new: Int64
}

extension CustomerMail {
    /// The prices that it tells of as being on their way.
    var prices: [PriceStep] {
        switch self {
        case .priceIncrease(let news): news.lines.map(\.step)
        case .koreanConversion(let request): request.lines.map(\.step)
        case .welcome, .receipt, .willRenew, .willExpire, .cannotPay, .billingProblem,
            .renewalExtended, .discontinued, .refundDecided, .sharing:
            []
        }
    }
}

extension CustomerMail.PriceIncreaseNews.Line {
    var step: PriceStep { PriceStep(old: old.milliunits, new: new.milliunits) }
}

extension CustomerMail.KoreanConversionRequest.Line {
    var step: PriceStep { PriceStep(old: nil, new: price.milliunits) }
}

extension MailKind {
    /// Whether it tells of prices that are on their way.
    var tellsPrices: Bool {
        switch self {
        case .priceIncreaseConsent, .priceIncreaseNotice, .koreanConversion: true
        case .welcome, .receipt, .willRenew, .willExpire, .cannotPay, .billingProblem,
            .renewalExtended, .discontinued, .refundDecision, .sharing:
            false
        }
    }
}

extension [PriceStep] {
    /// Whether all of these are among others: of two items at one price each has to be there.
    func areAll(in others: [PriceStep]) -> Bool {
        var others = others
        return allSatisfy { others.take($0) }
    }

    /// Takes one out; false where there is none.
    mutating func take(_ step: PriceStep) -> Bool {
        guard let place = firstIndex(of: step) else { return false }
        remove(at: place)
        return true
    }
}
