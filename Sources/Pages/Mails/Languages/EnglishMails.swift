import Letters
import SubscriptionRules

/// Mails in English.
struct EnglishMails: MailWords {
    let language = "en"
    let isRightToLeft = false

    func price(_ amount: String, every period: CalendarPeriod) -> Sentence {
        let unit =
            switch period.unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return period.count == 1
            ? "\(amount) per \(words: unit)"
            : "\(amount) every \(words: "\(period.count) \(unit)s")"
    }

    func sentTo(_ account: String, app: String) -> Sentence {
        "This mail was sent to \(account) because of purchases in \(app)."
    }
    let manage = "Manage your subscriptions"
    let support = "Support"
    let privacy = "Privacy policy"
    let howToTurnOff: Sentence =
        "You can turn renewal off, and on again, at any time in your account’s subscriptions. What "
        + "is paid for stays yours until its end."

    let colon = ": "
    let price = "Price"
    let oldPrice = "Price today"
    let newPrice = "New price"
    let renews = "Renews on"
    let ends = "Ends on"
    let reason = "Reason"
    let insteadOf = "Price without the offer"
    let paidUntil = "Paid until"
    let startsOn = "From"
    let order = "Order number"
    let date = "Date"
    let bought = "Bought on"
    let total = "Total"
    let oldRenewal = "Renewal until now"
    let newRenewal = "New renewal date"
    let answerBy = "Please answer by"
    func quantity(_ count: Int) -> String { "\(count) ×" }

    let agree = "Agree to New Price"
    let decline = "Do Not Agree"
    let notNow = "Not Now"
    let fine = "OK"

    func welcomeSubject(_ name: String) -> Sentence { "Your subscription to \(name) has begun" }
    func welcome(_ name: String, app: String) -> Sentence {
        "Thank you for subscribing to \(name) in \(app)."
    }
    func startsFree(until day: String, then price: Sentence) -> Sentence {
        "It is free until \(day). On that day payment starts by itself: \(price)."
    }
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence {
        "You have paid \(paid). From \(day) on it costs \(price)."
    }
    func renewsByItself(on day: String, for price: Sentence) -> Sentence {
        "It renews by itself, next on \(day), for \(price), until you turn renewal off."
    }
    func commits(to total: String) -> Sentence {
        "You have agreed to 12 monthly payments, \(total) in all. If you turn renewal off, it ends "
            + "after the twelfth month."
    }

    func receiptSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Your receipt for \(name)" : "Your receipt for \(name) and \(words: "\(others)") more"
    }
    func receipt(app: String) -> Sentence { "This is what you bought in \(app)." }

    func willRenewSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) renews soon" : "\(name) and \(words: "\(others)") more renew soon"
    }
    func willRenew(_ count: Int) -> Sentence {
        count == 1
            ? "This subscription renews by itself within the next month:"
            : "These \(words: "\(count)") subscriptions renew by themselves within the next month:"
    }
    func willExpireSubject(_ name: String, others: Int) -> Sentence {
        others == 0 ? "\(name) ends soon" : "\(name) and \(words: "\(others)") more end soon"
    }
    func willExpire(_ count: Int) -> Sentence {
        count == 1
            ? "This subscription ends within the next month:"
            : "These \(words: "\(count)") subscriptions end within the next month:"
    }

    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence {
        switch reason {
        case .turnedOff: "Renewal is off"
        case .notForSale: "It is not for sale any more"
        case .renewalLimit: "Sandbox renews no further"
        }
    }

    func cannotPaySubject(_ name: String) -> Sentence {
        "Please check how you pay for \(name)"
    }
    func cannotPay(_ name: String, price: String, day: String) -> Sentence {
        "\(name) renews on \(day) for \(price), and it looks as if this cannot be charged."
    }
    let updatePayment: Sentence =
        "Please bring your payment method up to date in your account, so that you lose nothing."

    func billingSubject(_ name: String) -> Sentence { "There is a problem with paying for \(name)" }
    func notPaid(_ name: String, price: String) -> Sentence {
        "\(name) could not be renewed, since \(price) could not be charged. It is tried again."
    }
    func accessGoesOn(until day: String) -> Sentence { "You keep access until \(day)." }
    let accessIsInterrupted: Sentence = "Access is interrupted until it is paid."
    func endedSubject(_ name: String) -> Sentence { "\(name) has ended" }
    func ended(_ name: String, price: String) -> Sentence {
        "\(name) has ended, since \(price) could not be charged. You can subscribe again at any "
            + "time."
    }

    func increaseSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Price increase for \(name)"
            : "Price increase for \(name) and \(words: "\(others)") more"
    }
    func consentSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Price increase for \(name): please agree"
            : "Price increase for \(name) and \(words: "\(others)") more: please agree"
    }
    func increase(_ count: Int) -> Sentence {
        count == 1
            ? "The price of your subscription goes up." : "The prices of your subscription go up."
    }
    func increaseStands(before day: String) -> Sentence {
        "You need to do nothing. If you do not want it at this price, turn renewal off before "
            + "\(day)."
    }
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence {
        let price: Sentence =
            count == 1
            ? "You pay the new price only if you agree to it. "
            : "You pay the new prices only if you agree to them; one answer is for all. "
        return names.count == 1
            ? price + "Without your consent \(list(names)) ends on \(day)."
            : price + "Without your consent \(list(names)) end on \(day)."
    }
    let restGoesOn: Sentence = "The rest of your subscription goes on."
    private func list(_ names: [String]) -> Sentence { .list(names, ", ", " and ") }

    func conversionSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Your offer for \(name) ends: please agree"
            : "Your offers for \(name) and \(words: "\(others)") more end: please agree"
    }
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence {
        isFree
            ? "Your free time with \(name) ends on \(day). From then on it costs \(price)."
            : "Your reduced price for \(name) ends on \(day). From then on it costs \(price)."
    }
    func conversions(_ names: [String], day: String) -> Sentence {
        "Your offers for \(list(names)) end on \(day). From then on they cost what stands below."
    }
    func conversionNeeded(for names: [String], by day: String) -> Sentence {
        names.count == 1
            ? "\(list(names)) goes on only if you agree by \(day). Otherwise it ends, and nothing "
                + "is charged for it."
            : "\(list(names)) go on only if you agree by \(day). Otherwise they end, and nothing "
                + "is charged for them."
    }
    func conversionNeeded(by day: String) -> Sentence {
        "It goes on only if you agree by \(day). Otherwise it ends, and nothing is charged."
    }

    func extendedSubject(_ name: String) -> Sentence { "\(name) renews later" }
    func extended(_ name: String, day: String) -> Sentence {
        "We have given you more time with \(name), at no charge. It now renews on \(day)."
    }

    func discontinuedSubject(_ name: String) -> Sentence { "\(name) is not offered any more" }
    func discontinued(_ name: String, day: String) -> Sentence {
        "\(name) is not offered any more. It stays yours until \(day), and does not renew then."
    }
    let others: Sentence = "You can choose one of these instead:"

    func refundedSubject(_ name: String) -> Sentence { "Your refund for \(name)" }
    func refunded(_ name: String, amount: String) -> Sentence {
        "Your request was granted: \(amount) for \(name) is paid back by the way you paid."
    }
    func refundedUnasked(_ name: String, amount: String) -> Sentence {
        "We have refunded you: \(amount) for \(name) is paid back by the way you paid."
    }
    func refundDeclinedSubject(_ name: String) -> Sentence {
        "Your request for a refund of \(name)"
    }
    func refundDeclined(_ name: String) -> Sentence {
        "Your request for a refund of \(name) was declined. What you bought stays yours."
    }

    func shareSubject(_ name: String) -> Sentence { "Share \(name) with your family" }
    func share(_ name: String) -> Sentence {
        "\(name) can be shared now. Turn sharing on, and your family can use it at no extra charge."
    }
    func sharedSubject(_ name: String) -> Sentence { "\(name) is shared with you" }
    func shared(_ name: String, by giver: String) -> Sentence {
        "\(giver) shares \(name) with the family. You can use it from now on."
    }
}
