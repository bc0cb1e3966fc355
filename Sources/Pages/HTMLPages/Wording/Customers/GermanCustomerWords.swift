package import SubscriptionRules

/// What customers' pages say in German.
package protocol GermanCustomerWords: CustomerWords {}

extension GermanCustomerWords {
    package var language: String { "de" }
}

/// Signing in.
extension GermanCustomerWords {
    package var signIn: String { "Anmelden" }
    package var developmentWarning: String {
        "Diese Anmeldung ist für die Entwicklung. Sie fragt nach keinem Passwort: Wer diesen Port "
            + "erreicht, kann jeder Kunde sein."
    }
    package var app: String { "App" }
    package var accountName: String { "Konto" }
    package var accountHint: String { "Mit einem neuen Namen beginnt ein neues Konto." }
    package func wrongName(upTo most: Int) -> String {
        "Ein Konto kann nicht so heißen. Schreiben Sie 1 bis \(most) sichtbare Zeichen, und wählen "
            + "Sie eine App."
    }
    package var signInFirst: String { "Melden Sie sich zuerst an." }
}

/// What went wrong.
extension GermanCustomerWords {
    package var problemTitle: String { "Das ging nicht" }
    package var unknownPage: String { "Diese Seite gibt es nicht." }
    package var tooOften: String { "Das war zu oft. Versuchen Sie es gleich noch einmal." }
}

/// A subscription.
extension GermanCustomerWords {
    package var manage: String { "Abonnement verwalten" }
    package var state: String { "Zustand" }
    package var nextBillingDate: String { "Nächste Abbuchung" }
    package var endsOn: String { "Endet am" }
}

/// What is for sale.
extension GermanCustomerWords {
    package var renewsByItself: String { "Es verlängert sich von selbst, bis Sie kündigen." }
    package var endsByItself: String { "Es endet von selbst und verlängert sich nicht." }
    package var usedUp: String { "Es wird verbraucht und lässt sich wieder kaufen." }
    package var yoursForGood: String { "Sie kaufen es einmal und behalten es." }
    package func offerCosts(_ amount: String, for length: String, then price: String) -> String {
        "\(length) lang \(amount), danach \(price)."
    }
    package var redeemCode: String { "Code einlösen" }
    package var privacyPolicy: String { "Datenschutzerklärung" }
    package var noPrivacyPolicy: String {
        "Der Entwickler hat hier keine Datenschutzerklärung veröffentlicht."
    }
}

/// The sheet about a price.
extension GermanCustomerWords {
    package var increaseTitle: String { "Preiserhöhung Ihres Abonnements" }
    package var oldPrice: String { "Preis bisher" }
    package var newPrice: String { "Neuer Preis" }
    package var from: String { "Ab" }
    package var agree: String { "Neuem Preis zustimmen" }
    package var decline: String { "Nicht zustimmen" }
    package var ok: String { "OK" }
    package var reviewOrCancel: String { "Abonnement ansehen oder kündigen" }
}

/// Help with purchases.
extension GermanCustomerWords {
    package var missingPurchase: String { "Ein Kauf fehlt" }
    package var questions: String { "Häufige Fragen" }
    package var requestRefund: String { "Erstattung beantragen" }
    package var feedback: String { "Feedback geben" }
    package var contact: String { "Kontakt" }
}

/// Prices and lengths.
extension GermanCustomerWords {
    package func price(_ amount: String, every period: CalendarPeriod) -> String {
        period.count == 1
            ? "\(amount) pro \(unit(period.unit, isOne: true))"
            : "\(amount) alle \(length(period))"
    }

    package func length(_ period: CalendarPeriod) -> String {
        "\(period.count) \(unit(period.unit, isOne: period.count == 1))"
    }

    private func unit(_ unit: CalendarPeriod.Unit, isOne: Bool) -> String {
        switch unit {
        case .day: isOne ? "Tag" : "Tage"
        case .week: isOne ? "Woche" : "Wochen"
        case .month: isOne ? "Monat" : "Monate"
        case .year: isOne ? "Jahr" : "Jahre"
        }
    }
}
