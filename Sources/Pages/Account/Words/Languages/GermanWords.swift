import SubscriptionRules

/// Customers' pages in German.
struct GermanWords: AccountWords {
    let language = "de"
}

/// Signing in.
extension GermanWords {
    var site: String { "Konto" }
    var foot: String { "Dieser Store ist eine Simulation: Niemandem wird etwas berechnet." }
    var signInTitle: String { "Anmelden" }
    var signIn: String { "Anmelden" }
    func linkLead(_ name: String, app: String) -> String {
        "Damit öffnen Sie das Konto von \(name) für \(app)."
    }
    var usedLink: String {
        "Dieser Link wurde schon benutzt, oder seine zehn Minuten sind vorbei. "
            + "Öffnen Sie Ihr Konto noch einmal in der App."
    }
    var onlyByLink: String { "Öffnen Sie Ihr Konto in der App: Ihr Link meldet Sie an." }
    var developmentWarning: String {
        "Diese Anmeldung ist für die Entwicklung. Sie fragt nach keinem Passwort: "
            + "Wer diesen Port erreicht, kann jeder Kunde sein."
    }
    var app: String { "App" }
    var accountName: String { "Konto" }
    var accountHint: String { "Mit einem neuen Namen beginnt ein neues Konto." }
    var wrongName: String {
        "Ein Konto kann nicht so heißen. Schreiben Sie einen Namen aus 1 bis 256 "
            + "sichtbaren Zeichen, und wählen Sie eine App."
    }
    var signInFirst: String { "Melden Sie sich zuerst an." }
}

/// What went wrong, and what was done.
extension GermanWords {
    var problemTitle: String { "Das ging nicht" }
    var goBack: String { "Zurück" }
    var toOverview: String { "Zu Ihren Abonnements" }
    var unknownPage: String { "Diese Seite gibt es nicht." }
    var tooOften: String { "Das war zu oft. Versuchen Sie es gleich noch einmal." }
    var busy: String { "Der Store ist ausgelastet. Versuchen Sie es gleich noch einmal." }
    var failed: String { "Der Store konnte das nicht tun. Es wurde nichts geändert." }

    func refusal(_ code: String) -> String? {
        switch code {
        case "otherOrigin":
            "Das kam von keiner Seite dieses Stores. Öffnen Sie die Seite noch "
                + "einmal, und versuchen Sie es erneut."
        case "repeatedField", "notAForm":
            "Das Formular ließ sich nicht lesen. Öffnen Sie die Seite noch einmal."
        case "unknownPage":
            "Diese Seite gibt es nicht."
        case "unknownSubscription":
            "Sie haben kein solches Abonnement."
        case "familyShared":
            "Jemand anderes in Ihrer Familie bezahlt und verwaltet dieses Abonnement."
        case "paymentDeclined":
            "Ihre Zahlungsart wurde abgelehnt. Es wurde nichts geändert."
        case "paymentPending":
            "Eine frühere Zahlung ist noch unterwegs. Warten Sie, bis sie erledigt ist."
        case "notActive":
            "Dieses Abonnement ist beendet."
        case "notForSale":
            "Dieses Angebot wird hier nicht verkauft."
        case "alreadySubscribed":
            "Das haben Sie schon abonniert."
        case "noPriceIncrease":
            "Dieser Preis lässt sich nicht mehr beantworten."
        case "amountChanged":
            "Der Betrag oder das Angebot hat sich geändert, seit die Seite "
                + "geöffnet wurde. Sehen Sie noch einmal hin."
        case "purchaseInterrupted":
            "Ihr Kauf wurde unterbrochen: Zuerst ist etwas mit Ihrer Zahlung zu klären."
        case "paymentsNotAllowed":
            "Dieses Konto darf nichts bezahlen."
        case "ineligibleForOffer":
            "Dieses Angebot können Sie nicht haben."
        default: nil
        }
    }

    func done(_ name: String) -> String? {
        switch name {
        case "cancel":
            "Die Verlängerung ist ausgeschaltet. Was bezahlt ist, bleibt Ihnen."
        case "keep":
            "Ihr Abonnement geht weiter."
        case "changePlan":
            "Ihre Wahl ist gespeichert."
        case "requestToBuy":
            "Ihre Familie wurde um Zustimmung gebeten."
        case "resubscribe":
            "Willkommen zurück. Sie haben wieder abonniert."
        case "agree":
            "Sie haben dem neuen Preis zugestimmt."
        case "decline":
            "Sie haben nicht zugestimmt. Die Verlängerung ist ausgeschaltet."
        case "priceSeen":
            "Danke. Sie müssen nichts weiter tun."
        default: nil
        }
    }
}

/// The subscriptions.
extension GermanWords {
    var subscriptions: String { "Abonnements" }
    var noSubscriptions: String {
        "Sie haben hier keine Abonnements. Was Sie in der App abonnieren, verwalten "
            + "Sie auf dieser Seite."
    }
    var manage: String { "Abonnement verwalten" }
    var plan: String { "Angebot" }
    var price: String { "Preis" }
    var nextBillingDate: String { "Nächste Abbuchung" }
    var endsOn: String { "Endet am" }
    var endedOn: String { "Endete am" }
    var state: String { "Zustand" }
    var familyShared: String { "Von Ihrer Familie geteilt" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "Aktiv"
        case 2: "Beendet"
        case 3, 4: "Zahlung fehlgeschlagen"
        default: "Erstattet"
        }
    }

    func price(_ amount: String, every period: CalendarPeriod) -> String {
        period.count == 1
            ? "\(amount) pro \(unit(period.unit, isOne: true))"
            : "\(amount) alle \(length(period))"
    }

    func length(_ period: CalendarPeriod) -> String {
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
