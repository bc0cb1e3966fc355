public import SubscriptionRules

extension Wording {
    /// A test of consent and its outcome, in one sentence.
    public func sentence(_ reason: ConsentReason) -> String {
        switch reason {
        case .noIncrease(let change):
            change.old == change.new
                ? text(.priceStays) : text(.priceFalls, ["change": self.change(change)])
        case .unavailable(let storefront):
            text(.increaseUnavailable, ["storefront": storefront])
        case .region(let storefront, let region):
            text(phrase(region), ["storefront": storefront])
        case .size(let test): sentence(test)
        case .frequency(let test): sentence(test)
        case .koreanConversion(.freeTrialToPaid): text(.trialTurnsPaidInKorea)
        case .koreanConversion(.discountToStandard): text(.discountEndsInKorea)
        case .koreanConversion(nil): text(.noOfferEndsInKorea)
        case .upiAutoPay(true): text(.paysByUPIAutoPay)
        case .upiAutoPay(false): text(.paysOtherwiseInIndia)
        }
    }

    private func phrase(_ region: ConsentReason.Region) -> Phrase {
        switch region {
        case .alwaysConsent: .regionAlwaysAsks
        case .ordinary: .regionAsksNotAlways
        case .unknown: .regionUnknown
        }
    }

    private func sentence(_ test: SizeTest) -> String {
        let currency = test.change.currency
        func amount(_ milliunits: Int64) -> String {
            Money(milliunits: milliunits, currency).plainText
        }
        let limit = test.amount.map {
            text(test.isAnnual ? .amountAYear : .amountAPeriod, ["amount": amount($0)])
        }
        return text(
            phrase(test),
            [
                "increase": amount(test.change.difference), "percent": percent(of: test.change),
                "amount": limit ?? "", "currency": currency.code,
            ])
    }

    private func phrase(_ test: SizeTest) -> Phrase {
        let isFromNothing = test.change.old == 0
        switch (test.isMoreThanHalf, test.isMoreThanAmount) {
        case (_, true?) where isFromNothing: return .fromNothingAndAboveAmount
        case (_, false?) where isFromNothing: return .fromNothingAndBelowAmount
        case (_, nil) where isFromNothing: return .fromNothingWithoutAmount
        case (true, true?): return .bigAndAboveAmount
        case (true, false?): return .bigAndBelowAmount
        case (true, nil): return .bigWithoutAmount
        case (false, true?): return .smallAndAboveAmount
        case (false, false?): return .smallAndBelowAmount
        case (false, nil): return .smallWithoutAmount
        }
    }

    private func sentence(_ test: FrequencyTest) -> String {
        guard let previous = test.previous, let clearFrom = test.clearFrom else {
            return text(.noEarlierIncrease)
        }
        return text(
            test.demandsConsent ? .increaseWithinYear : .increaseBeforeYear,
            [
                "previous": previous.plainText, "effective": test.effective.plainText,
                "clear": clearFrom.plainText,
            ])
    }
}
