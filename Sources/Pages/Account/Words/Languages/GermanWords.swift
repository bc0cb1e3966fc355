import HTMLPages

/// Customers' pages in German.
struct GermanWords: AccountWords, GermanCustomerWords {}

/// Signing in.
extension GermanWords {
    var site: String { "Konto" }
    var foot: String { "Dieser Store ist eine Simulation: Niemandem wird etwas berechnet." }
    var signInTitle: String { "Anmelden" }
    func linkLead(_ name: String, app: String) -> String {
        "Damit öffnen Sie das Konto von \(name) für \(app)."
    }
    var usedLink: String {
        "Dieser Link wurde schon benutzt, oder seine zehn Minuten sind vorbei. "
            + "Öffnen Sie Ihr Konto noch einmal in der App."
    }
    var onlyByLink: String { "Öffnen Sie Ihr Konto in der App: Ihr Link meldet Sie an." }
}

/// What went wrong, and what was done.
extension GermanWords {
    var goBack: String { "Zurück" }
    var toOverview: String { "Zu Ihren Abonnements" }
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
    var plan: String { "Angebot" }
    var price: String { "Preis" }
    var nextPrice: String { "Nächster Preis" }
    var endedOn: String { "Endete am" }
    var familyShared: String { "Von Ihrer Familie geteilt" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "Aktiv"
        case 2: "Beendet"
        case 3, 4: "Zahlung fehlgeschlagen"
        default: "Erstattet"
        }
    }
}
