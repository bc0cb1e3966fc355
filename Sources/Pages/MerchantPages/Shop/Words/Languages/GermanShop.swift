import SubscriptionRules

/// The shop in German.
struct GermanShop: ShopWords {
    let language = "de"
}

/// Signing in.
extension GermanShop {
    var shop: String { "Shop" }
    var foot: String { "Dieser Shop ist eine Simulation: Niemandem wird etwas berechnet." }
    var signIn: String { "Anmelden" }
    func linkLead(_ name: String) -> String { "Damit melden Sie sich als \(name) an." }
    var usedLink: String {
        "Dieser Link wurde schon benutzt, oder seine zehn Minuten sind vorbei. Öffnen Sie den Shop "
            + "noch einmal in der App."
    }
    var onlyByLink: String { "Öffnen Sie den Shop in der App: Ihr Link meldet Sie an." }
    var developmentWarning: String {
        "Diese Anmeldung ist für die Entwicklung. Sie fragt nach keinem Passwort: Wer diesen Port "
            + "erreicht, kann jeder Kunde sein."
    }
    var app: String { "App" }
    var accountName: String { "Konto" }
    var accountHint: String { "Mit einem neuen Namen beginnt ein neues Konto." }
    var wrongName: String {
        "Ein Konto kann nicht so heißen. Schreiben Sie 1 bis 255 sichtbare Zeichen, und wählen Sie "
            + "eine App."
    }
    var signInFirst: String { "Melden Sie sich zuerst an." }
}

/// What went wrong, and what was done.
extension GermanShop {
    var problemTitle: String { "Das ging nicht" }
    var toShop: String { "Zum Shop" }
    var unknownPage: String { "Diese Seite gibt es nicht." }
    var otherOrigin: String {
        "Das kam von keiner Seite dieses Shops. Öffnen Sie die Seite noch einmal, und versuchen "
            + "Sie es erneut."
    }
    var tooOften: String { "Das war zu oft. Versuchen Sie es gleich noch einmal." }
    var busy: String {
        "Der Shop oder der Store antwortet nicht. Versuchen Sie es gleich noch einmal."
    }
    var failed: String { "Der Shop konnte das nicht tun. Es wurde nichts geändert." }

    func done(_ name: String) -> String? {
        switch name {
        case "restore": "Ihre Käufe sind wiederhergestellt."
        case "restoreNothing": "Für dieses Konto gab es nichts wiederherzustellen."
        case "agree": "Sie haben dem neuen Preis zugestimmt."
        case "decline": "Sie haben den neuen Preis abgelehnt."
        case "acknowledged": "Danke. Der neue Preis ist vermerkt."
        default: nil
        }
    }
}

/// The paywall.
extension GermanShop {
    func paywallTitle(_ app: String) -> String { "\(app) abonnieren" }
    var paywallLead: String {
        "Bei jedem Angebot steht, was jeder Zeitraum bringt und was er kostet. Berechnet wird "
            + "nichts, bevor Sie im Store bestätigen."
    }
    var plans: String { "Abonnements" }
    var singlePurchases: String { "Einzelne Käufe" }
    var total: String { "Preis" }
    var eachPeriod: String { "Jeder Zeitraum bringt" }
    func comesTo(_ price: String) -> String { "Das sind \(price)." }
    func saves(_ percent: Int) -> String { "Spart \(percent) %." }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "\(length) kostenlos. Danach \(price), ab \(day) automatisch berechnet, wenn Sie nicht "
            + "vorher kündigen."
    }
    func reducedPeriods(_ price: String, for length: String, then usual: String) -> String {
        "\(price), für die Dauer von: \(length). Danach \(usual)."
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "\(amount) am Anfang, für die Dauer von: \(length). Danach \(usual)."
    }
    var renews: String { "Verlängert sich automatisch, bis Sie kündigen." }
    var endsByItself: String { "Endet von selbst und verlängert sich nicht." }
    var consumable: String { "Wird verbraucht und kann wieder gekauft werden." }
    var forGood: String { "Einmal gekauft, gehört es Ihnen für immer." }
    func familyName(_ name: String) -> String { "\(name) (Familie)" }
    var familyAbout: String {
        "Familienfreigabe: Bis zu fünf weitere Personen Ihrer Familie können es auf allen ihren "
            + "Geräten benutzen. Sie treten dort bei, wo Ihre Familie eingerichtet ist."
    }
    func subscribe(_ name: String, _ price: String) -> String { "Abonnieren: \(name), \(price)" }
    func tryFree(_ name: String, _ length: String) -> String {
        "Kostenlos testen: \(name), \(length)"
    }
    func buy(_ name: String, _ price: String) -> String { "Kaufen: \(name), \(price)" }
    var restore: String { "Käufe wiederherstellen" }
    var redeem: String { "Code einlösen" }
    var alreadySubscribed: String { "Schon abonniert? Mit jenem Konto anmelden" }
    var termsOfUse: String { "Nutzungsbedingungen" }
    var privacyPolicy: String { "Datenschutzerklärung" }
    var renewalTerms: String {
        "Der Store berechnet den Preis, wenn Sie bestätigen. Ein Abonnement verlängert sich "
            + "automatisch zum genannten Preis, wenn Sie nicht spätestens 24 Stunden vor dem Ende "
            + "des Zeitraums kündigen; die Verlängerung wird in den letzten 24 Stunden des "
            + "Zeitraums berechnet. Verwalten und kündigen können Sie in Ihrem Konto beim Store."
    }
    var standardTerms: String { "Es gilt die Standard-Lizenzvereinbarung des Stores." }
    var noPrivacyPolicy: String {
        "Der Entwickler hat hier keine Datenschutzerklärung veröffentlicht."
    }
    var readIt: String { "Lesen" }
    var cannotPay: String {
        "Käufe sind für Ihr Konto beim Store abgeschaltet, deshalb gibt es hier nichts zu kaufen. "
            + "Wer Ihr Konto oder Ihre Familie verwaltet, kann sie erlauben."
    }
    var nothingForSale: String { "Zurzeit wird nichts verkauft." }
    var compactAbout: String {
        "Auf der Uhr wählen Sie ein Abonnement und sehen, was Sie haben. Die Inhalte selbst lesen "
            + "Sie auf Telefon, Tablet oder Computer."
    }
    var close: String { "Schließen" }
    var yourPlan: String { "Ihr Abonnement" }
    var manage: String { "Abonnement verwalten" }
    var status: String { "Zustand" }
    var nextBillingDate: String { "Nächste Abbuchung" }
    var endsOn: String { "Endet am" }
    var paidUntil: String { "Bezahlt bis" }
    var otherPlans: String { "Alle Abonnements" }
    var seeOptions: String { "Angebote ansehen" }
    var nextPrice: String { "Nächster Preis" }
    var price: String { "Preis" }
}

/// The sheet about a price.
extension GermanShop {
    var increaseTitle: String { "Preiserhöhung des Abonnements" }
    var conversionTitle: String { "Aus Ihrem Probezeitraum wird ein bezahltes Abonnement" }
    var priceWaits: String { "Zum Preis Ihres Abonnements gibt es etwas Neues." }
    var subscription: String { "Abonnement" }
    var oldPrice: String { "Preis heute" }
    var trialNow: String { "Heute" }
    var newPrice: String { "Neuer Preis" }
    var increaseDate: String { "Ab" }
    var answerBy: String { "Bitte antworten Sie bis" }
    var agree: String { "Neuem Preis zustimmen" }
    var decline: String { "Ablehnen" }
    var okay: String { "OK" }
    var later: String { "Schließen und später antworten" }
    var reviewOrCancel: String { "Abonnement ansehen oder kündigen" }
    var noAnswerNeeded: String {
        "Sie müssen nichts tun: Ihr Abonnement läuft zum neuen Preis weiter. Sie können bis dahin "
            + "jederzeit kündigen."
    }
    var withoutAnswer: String {
        "Der neue Preis wird nur berechnet, wenn Sie zustimmen. Solange Sie nicht antworten, wird "
            + "er nicht berechnet."
    }
    var noSheets: String { "Zu Ihren Preisen gibt es nichts Neues." }
    var priceStays: String { "Wenn Sie nicht antworten, bleibt Ihr Preis, wie er ist." }
    func endsWithoutAnswer(on day: String) -> String {
        "Ohne Ihre Zustimmung endet Ihr Abonnement am \(day)."
    }
}

/// What is unlocked, and why.
extension GermanShop {
    var content: String { "Inhalte" }
    var free: String { "Frei für alle" }
    var freeAbout: String { "Das können Sie benutzen, ohne zu bezahlen, so lange Sie wollen." }
    var unlocked: String { "Freigeschaltet" }
    var locked: String { "Gesperrt" }

    func reason(_ word: String) -> String {
        switch word {
        case "active", "owned": "Ihr Kauf ist bezahlt."
        case "gracePeriod":
            "Ihre letzte Zahlung ist fehlgeschlagen. Sie behalten den Zugang, während der Store es "
                + "noch einmal versucht."
        case "awaitingRenewal":
            "Ihre Verlängerung wird bearbeitet. Bis dahin behalten Sie den Zugang."
        case "billingRetry":
            "Ihre letzte Zahlung ist fehlgeschlagen. Der Zugang kommt zurück, sobald der Store "
                + "abbuchen kann."
        case "expired": "Ihr Abonnement ist zu Ende."
        case "refunded": "Der Store hat Ihren Kauf erstattet."
        case "sharingEnded": "Ihre Familie teilt diesen Kauf nicht mehr mit Ihnen."
        case "upgraded": "Sie sind zu einem anderen Angebot gewechselt."
        default: "Der Kauf gibt keinen Zugang."
        }
    }

    func until(_ day: String) -> String { "Bis \(day)." }
    var neverBought: String { "Sie haben es nicht gekauft." }
    var byFamily: String { "Jemand in Ihrer Familie teilt es mit Ihnen." }
}

/// Help with purchases.
extension GermanShop {
    var help: String { "Hilfe" }
    var missingPurchase: String { "Ein Kauf fehlt" }
    var missingAbout: String {
        "Der Shop fragt den Store nach allem, was Sie gekauft haben, und schaltet es frei."
    }
    var questions: String { "Häufige Fragen" }
    var questionsAbout: String {
        "Ein Abonnement gilt auf allen Ihren Geräten. Wechseln und kündigen können Sie beim Store; "
            + "der Zugang bleibt bis zum Ende des bezahlten Zeitraums."
    }
    var refund: String { "Erstattung anfordern" }
    var refundAbout: String { "Über Erstattungen entscheidet der Store." }
    var feedback: String { "Rückmeldung geben" }
    var feedbackAbout: String { "Der Entwickler liest die Bewertungen im Store." }
    var contact: String { "Kontakt" }
    func contactAbout(_ account: String) -> String {
        "Wenn Sie dem Entwickler schreiben, nennen Sie Ihr Konto: \(account)."
    }
}

/// Prices and lengths.
extension GermanShop {
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
