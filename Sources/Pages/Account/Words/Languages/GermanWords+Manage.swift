/// Changing the plan, and what it costs.
extension GermanWords {
    var nextBill: String { "Nächste Rechnung" }
    var paymentIsOnItsWay: String { "Die Zahlung ist unterwegs." }
    var total: String { "Summe" }
    var billLine: String { "Wofür" }
    var usualPrice: String { "Üblicher Preis" }
    var toPay: String { "Zu zahlen" }
    var withOffer: String { "Mit einem Angebot" }
    var unpaid: String {
        "Ihre letzte Zahlung ist fehlgeschlagen. Bitte bringen Sie die Zahlungsart "
            + "auf den neuesten Stand, damit Ihnen nichts verloren geht."
    }
    var changePlan: String { "Abonnement wechseln" }
    var noOtherPlans: String { "Es gibt kein anderes Angebot." }
    var current: String { "Ihr Angebot" }
    var takesEffect: String { "Gilt ab" }
    var atOnce: String { "Sofort" }
    var chargedToday: String { "Heute zu zahlen" }
    var returned: String { "Erstattet" }
    var approval: String { "Zustimmung" }
    var needsApproval: String { "Jemand in Ihrer Familie muss zuerst zustimmen." }
    var confirm: String { "Bestätigen" }
    var notNow: String { "Nicht jetzt" }
    func commits(to total: String) -> String {
        "12 monatliche Zahlungen, zusammen \(total)"
    }
    func changeTo(_ name: String) -> String {
        "Zu \(name) wechseln"
    }
    func keepPlan(_ name: String) -> String {
        "\(name) behalten"
    }
    func planWaits(_ name: String, day: String) -> String {
        "Am \(day) wechselt es zu \(name)."
    }
    func nothingMore(until day: String) -> String {
        "Es endet am \(day). Es wird nichts mehr abgebucht."
    }
    func paidBy(_ name: String) -> String {
        "\(name) bezahlt und verwaltet dieses Abonnement."
    }
}

/// Leaving, staying and coming back.
extension GermanWords {
    var cancel: String { "Abonnement kündigen" }
    var confirmCancellation: String { "Kündigung bestätigen" }
    var payLess: String { "Oder weniger zahlen" }
    var keep: String { "Abonnement behalten" }
    var resubscribe: String { "Wieder abonnieren" }
    var resubscribeNow: String { "Jetzt wieder abonnieren" }
    var otherPlans: String { "Andere Angebote" }
    func changeTo(_ name: String, for price: String) -> String {
        "Zu \(name) für \(price) wechseln"
    }
    func isOff(until day: String) -> String {
        "Die Verlängerung ist ausgeschaltet. Sie behalten den Zugang bis zum \(day)."
    }
    func cancels(_ name: String, accessUntil day: String) -> String {
        "Wenn Sie bestätigen, verlängert sich \(name) nicht. Sie behalten den "
            + "Zugang bis zum \(day)."
    }
    func cancelsCommitment(of name: String, on day: String) -> String {
        "Wenn Sie bestätigen, endet \(name) nach dem zwölften Monat am \(day). Bis "
            + "dahin behalten Sie den Zugang, und die monatlichen Zahlungen gehen weiter."
    }
    func cancelsUnpaid(_ name: String) -> String {
        "Sie haben gerade keinen Zugang zu \(name), weil die Zahlung "
            + "fehlgeschlagen ist. Wenn Sie bestätigen, wird keine weitere Zahlung "
            + "versucht."
    }
    func resubscribe(to name: String) -> String {
        "\(name) wieder abonnieren"
    }
    func offerIsFree(for length: String, then price: String) -> String {
        "\(length) kostenlos, danach \(price)."
    }
}

/// A price that goes up, or an offer that ends.
extension GermanWords {
    var conversionTitle: String { "Ihr Angebot endet" }
    var reviewIncrease: String { "Preis ansehen" }
    var nothingToAnswer: String { "Hier gibt es nichts zu beantworten." }
    func priceOf(_ name: String, app: String) -> String {
        "\(name) in \(app)"
    }
    func freeUntil(_ day: String) -> String {
        "Kostenlos bis zum \(day)"
    }
    func endsUnlessAgreed(_ name: String, on day: String) -> String {
        "Den neuen Preis zahlen Sie nur, wenn Sie zustimmen. Ohne Ihre Zustimmung "
            + "endet \(name) am \(day), und es wird nichts abgebucht."
    }
    func nothingToDo(before day: String) -> String {
        "Sie müssen nichts tun. Wenn Sie es zu diesem Preis nicht möchten, "
            + "kündigen Sie vor dem \(day)."
    }
    func asksForPrice(_ price: String, from day: String) -> String {
        "Sie werden um Zustimmung zu einem neuen Preis gebeten: \(price) ab dem \(day)."
    }
    func tellsOfPrice(_ price: String, from day: String) -> String {
        "Der Preis ändert sich am \(day): \(price)."
    }
}
