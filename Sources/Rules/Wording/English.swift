extension Wording {
    /// English, in which everything can be said.
    public static let english = Wording(englishTexts)

    /// Every text, by its code.
    static let englishTexts = reasonTexts.merging(dateTexts) { one, _ in one }
        .merging(explanationTexts) { one, _ in one }.merging(bundleTexts) { one, _ in one }

    private static let reasonTexts: [Phrase: String] = [
        .priceStays: "The price stays the same.",
        .priceFalls: "The price falls: {change}.",
        .increaseUnavailable: "Advanced Commerce takes no price increase in {storefront}.",
        .regionAlwaysAsks: "{storefront} demands consent for every increase.",
        .regionAsksNotAlways: "{storefront} does not demand consent for every increase.",
        .regionUnknown: "{storefront} is not a known storefront, so consent is asked to be safe.",
        .bigAndAboveAmount: """
        The increase of {increase} is {percent}, more than 50 %, and more than {amount}.
        """,
        .bigAndBelowAmount: """
        The increase of {increase} is {percent}, more than 50 %, and not more than {amount}.
        """,
        .bigWithoutAmount: """
        The increase of {increase} is {percent}, more than 50 %; what the App Store \
        takes for much in {currency} is not known, so the share alone decides.
        """,
        .smallAndAboveAmount: """
        The increase of {increase} is {percent}, not more than 50 %, and more than {amount}.
        """,
        .smallAndBelowAmount: """
        The increase of {increase} is {percent}, not more than 50 %, and not more than \
        {amount}.
        """,
        .smallWithoutAmount: """
        The increase of {increase} is {percent}, not more than 50 %; what the App Store \
        takes for much in {currency} is not known, so the share alone decides.
        """,
        .fromNothingAndAboveAmount: """
        The increase of {increase} from nothing counts as more than 50 %, and is more than \
        {amount}.
        """,
        .fromNothingAndBelowAmount: """
        The increase of {increase} from nothing counts as more than 50 %, and is not more \
        than {amount}.
        """,
        .fromNothingWithoutAmount: """
        The increase of {increase} from nothing counts as more than 50 %; no amount is known \
        for {currency}, so half decides.
        """,
        .noEarlierIncrease: "There was no earlier increase.",
        .increaseWithinYear: """
        The last increase took effect {previous}, within the 12 months before {effective}; \
        it counts until {clear}.
        """,
        .increaseBeforeYear: """
        The last increase took effect {previous}, not within the 12 months before \
        {effective}; it counts until {clear}.
        """,
        .trialTurnsPaidInKorea: """
        In Korea the step from a free trial to a paid period needs consent.
        """,
        .discountEndsInKorea: """
        In Korea the step from a discounted offer to the standard price needs consent.
        """,
        .noOfferEndsInKorea: "The change itself turns no offer into the standard price.",
        .paysByUPIAutoPay: """
        The subscriber pays by UPI AutoPay in India: consent is needed, and enough balance \
        or the renewal goes to billing retry.
        """,
        .paysOtherwiseInIndia: "The subscriber does not pay by UPI AutoPay.",
        .amountAPeriod: "{amount} a period",
        .amountAYear: "{amount} a year",
        .percentFromNothing: "from nothing",
        .percentBeyondReason: "more than 1000000 %",
    ]

    private static let dateTexts: [Phrase: String] = [
        .offerGoesOn: "The offer goes on at its own price.",
        .firstAfterOffer: "The first renewal after an offer charges the price shown at sign-up.",
        .tooNear: "Only {notice} of notice are left of the {needed} needed.",
        .calledTooLate: "The call came less than 24 hours before.",
        .sandboxOldPrice: "Sandbox charges the old price once more after a call.",
        .willNotRenew: "Renewal is off: nobody is told anything.",
        .inBillingRetry: """
        A renewal is in billing retry: everything waits, and starts in full after a \
        recovery.
        """,
        .neverReached: "No renewal comes at which the price could change.",
        .oneRenewalBefore: "1 renewal comes before the change goes live.",
        .renewalsBefore: "{count} renewals come before the change goes live.",
        .couldBeCharged: """
        The change came early enough for the period that began {start}, which is taken to be \
        at the old price.
        """,
        .recovered: "Days count from the recovery on {moment}, whose period is at the old price.",
        .turnedOnAgain: "Days count from {moment}, since when it is to renew again.",
        .shortenedLead: """
        The usual first day, {usual}, lies before the change or before the period.
        """,
        .fourthRenewal: "A weekly plan pays more from the 4th renewal after the notice.",
        .sandboxDays: "Sandbox: days are shortened, only the sheet is shown.",
        .sentAlways: "",
        .sentAtFirstLaunch: ", at the first launch of the app from then on",
        .sentUnlessSheetWasSeen: ", only if the sheet was not seen",
        .sentUntilAnswered: ", while there is no answer",
        .repeatedAfterDays: "again after {days} days at the earliest",
    ]

    private static let explanationTexts: [Phrase: String] = [
        .change: "{change}, {period}, storefront {storefront}, live {live}",
        .pathNone: "Path: nothing to say: no message and no answer is needed.",
        .pathNotice: "Path: notice: the subscriber is told and need not answer.",
        .pathConsent: "Path: consent: the price rises only if the subscriber agrees.",
        .pathUnavailable: "Path: not available: the store refuses such an increase.",
        .offerAsksBesides: "That is about the price; the end of the offer asks its own question.",
        .why: "Why:",
        .note: "Note: {remark}",
        .oldPrice: "Old price: still at the renewal on {moment}. {reason}",
        .newPrice: "New price: from the renewal on {moment}.",
        .newPriceNotPlanned: "New price: not planned.",
        .answerUpToElseExpires: """
        Answer: up to {moment}; otherwise the subscription expires at the renewal.
        """,
        .answerUpToElseOldPrice: """
        Answer: up to {moment}; otherwise the renewal charges the old price.
        """,
        .answerBeforeElseExpires: """
        Answer: before {moment}; otherwise the subscription expires at the renewal.
        """,
        .answerBeforeElseOldPrice: """
        Answer: before {moment}; otherwise the renewal charges the old price.
        """,
        .call: "Call: from {opens} to {closes}.",
        .messages: "Messages:",
        .noMessages: "Messages: none.",
        .korea: """
        Korea: whatever becomes of the price, the offer ends {moment}, and paying the \
        standard price after it needs consent, asked from {window}, else the subscription \
        expires.
        """,
        .windowInSeoul: "{first} to {last} in Seoul",
        .windowOfMoments: "{first} to {last}",
    ]

    private static let bundleTexts: [Phrase: String] = [
        .bundle: "{change}, {count} items, {period}, storefront {storefront}, live {live}",
        .item: "Item {sku}: {change}",
        .dependents: "With it end, where it is refused or not answered: {skus}.",
        .sum: "Together, as though it were one price; it decides nothing, items are judged alone:",
        .requests: "Requests:",
        .noRequests: "Requests: none.",
        .requestWithin: "from {opens} to {closes}: {skus}",
        .requestWithConsent: "from {opens} to {closes}, once the subscriber agrees: {skus}",
        .requestFrom: "from {opens}; a later one means a later renewal: {skus}",
        .bills: "Bills, offers aside:",
        .bill: "{moment}  {agreed}",
        .billWithoutAnswer: "{moment}  {agreed}; without an answer {unanswered}",
        .billOfRest: "{moment}  {agreed}; without an answer {unanswered}, since {skus} end",
        .billOfNothing: "{moment}  {agreed}; without an answer the subscription ends",
    ]
}
