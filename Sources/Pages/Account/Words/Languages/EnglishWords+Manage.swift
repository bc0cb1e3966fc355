/// Changing the plan, and what it costs.
extension EnglishWords {
    var nextBill: String { "Next Bill" }
    var paymentIsOnItsWay: String { "The payment is on its way." }
    var total: String { "Total" }
    var billLine: String { "For" }
    var usualPrice: String { "Usual price" }
    var toPay: String { "To pay" }
    var withOffer: String { "With an offer" }
    var unpaid: String {
        "Your last payment failed. Please update your payment method, so that you lose nothing."
    }
    var changePlan: String { "Change Plan" }
    var noOtherPlans: String { "There is no other plan." }
    var current: String { "Your plan" }
    var takesEffect: String { "Takes effect" }
    var atOnce: String { "At once" }
    var chargedToday: String { "Charged today" }
    var returned: String { "Given back" }
    var approval: String { "Approval" }
    var needsApproval: String { "Somebody in your family has to approve it first." }
    var confirm: String { "Confirm" }
    var notNow: String { "Not Now" }
    func commits(to total: String) -> String {
        "12 monthly payments, \(total) in all"
    }
    func changeTo(_ name: String) -> String {
        "Change to \(name)"
    }
    func keepPlan(_ name: String) -> String {
        "Keep \(name)"
    }
    func planWaits(_ name: String, day: String) -> String {
        "It changes to \(name) on \(day)."
    }
    func nothingMore(until day: String) -> String {
        "It ends on \(day). Nothing more is charged."
    }
    func paidBy(_ name: String) -> String {
        "\(name) pays for this subscription and manages it."
    }
}

/// Leaving, staying and coming back.
extension EnglishWords {
    var cancel: String { "Cancel Subscription" }
    var confirmCancellation: String { "Confirm Cancellation" }
    var payLess: String { "Or pay less" }
    var keep: String { "Keep Subscription" }
    var resubscribe: String { "Resubscribe" }
    var resubscribeNow: String { "Resubscribe Now" }
    var otherPlans: String { "Other plans" }
    func changeTo(_ name: String, for price: String) -> String {
        "Change to \(name) for \(price)"
    }
    func isOff(until day: String) -> String {
        "Renewal is off. You keep access until \(day)."
    }
    func cancels(_ name: String, accessUntil day: String) -> String {
        "If you confirm, \(name) does not renew. You keep access until \(day)."
    }
    func cancelsCommitment(of name: String, on day: String) -> String {
        "If you confirm, \(name) ends with your twelfth month, on \(day). Until "
            + "then you keep access, and the monthly payments go on."
    }
    func cancelsUnpaid(_ name: String) -> String {
        "You have no access to \(name) now, since its payment failed. If you "
            + "confirm, nobody tries to charge it again."
    }
    func resubscribe(to name: String) -> String {
        "Resubscribe to \(name)"
    }
    func offerIsFree(for length: String, then price: String) -> String {
        "Free for \(length), then \(price)."
    }
}

/// A price that goes up, or an offer that ends.
extension EnglishWords {
    var conversionTitle: String { "Your Offer Ends" }
    var reviewIncrease: String { "Review the price" }
    var nothingToAnswer: String { "There is nothing to answer here." }
    func priceOf(_ name: String, app: String) -> String {
        "\(name) in \(app)"
    }
    func freeUntil(_ day: String) -> String {
        "Free until \(day)"
    }
    func endsUnlessAgreed(_ name: String, on day: String) -> String {
        "You pay the new price only if you agree. Without your agreement \(name) "
            + "ends on \(day), and nothing is charged."
    }
    func nothingToDo(before day: String) -> String {
        "You need do nothing. If you do not want it at this price, cancel before \(day)."
    }
    func asksForPrice(_ price: String, from day: String) -> String {
        "You are asked to agree to a new price: \(price) from \(day)."
    }
    func tellsOfPrice(_ price: String, from day: String) -> String {
        "The price changes to \(price) on \(day)."
    }
}
