import HTMLPages

/// The shop in German.
struct GermanShop: ShopWords, GermanCustomerWords {}

/// Signing in.
extension GermanShop {
    var shop: String { "Shop" }
    var foot: String { "Dieser Shop ist eine Simulation: Niemandem wird etwas berechnet." }
    func linkLead(_ name: String) -> String { "Damit melden Sie sich als \(name) an." }
    var usedLink: String {
        "Dieser Link wurde schon benutzt, oder seine zehn Minuten sind vorbei. Öffnen Sie den Shop "
            + "noch einmal in der App."
    }
    var onlyByLink: String { "Öffnen Sie den Shop in der App: Ihr Link meldet Sie an." }
}

/// What went wrong, and what was done.
extension GermanShop {
    var toShop: String { "Zum Shop" }
    var otherOrigin: String {
        "Das kam von keiner Seite dieses Shops. Öffnen Sie die Seite noch einmal, und versuchen "
            + "Sie es erneut."
    }
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
    var eachPeriod: String { "Jeder Zeitraum bringt" }
    func comesTo(_ price: String) -> String { "Das sind \(price)." }
    func saves(_ percent: Int) -> String { "Spart \(percent) %." }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "\(length) kostenlos. Danach \(price), ab \(day) automatisch berechnet, wenn Sie nicht "
            + "vorher kündigen."
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "\(amount) am Anfang, für die Dauer von: \(length). Danach \(usual)."
    }
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
    var alreadySubscribed: String { "Schon abonniert? Mit jenem Konto anmelden" }
    var termsOfUse: String { "Nutzungsbedingungen" }
    var renewalTerms: String {
        "Der Store berechnet den Preis, wenn Sie bestätigen. Ein Abonnement verlängert sich "
            + "automatisch zum genannten Preis, wenn Sie nicht spätestens 24 Stunden vor dem Ende "
            + "des Zeitraums kündigen; die Verlängerung wird in den letzten 24 Stunden des "
            + "Zeitraums berechnet. Verwalten und kündigen können Sie in Ihrem Konto beim Store."
    }
    var standardTerms: String { "Es gilt die Standard-Lizenzvereinbarung des Stores." }
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
    var paidUntil: String { "Bezahlt bis" }
    var otherPlans: String { "Alle Abonnements" }
    var seeOptions: String { "Angebote ansehen" }
    var nextPrice: String { "Nächster Preis" }
    var price: String { "Preis" }
}

/// The sheet about a price.
extension GermanShop {
    var conversionTitle: String { "Aus Ihrem Probezeitraum wird ein bezahltes Abonnement" }
    var priceWaits: String { "Zum Preis Ihres Abonnements gibt es etwas Neues." }
    var subscription: String { "Abonnement" }
    var trialNow: String { "Heute" }
    var answerBy: String { "Bitte antworten Sie bis" }
    var later: String { "Schließen und später antworten" }
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
    var missingAbout: String {
        "Der Shop fragt den Store nach allem, was Sie gekauft haben, und schaltet es frei."
    }
    var questionsAbout: String {
        "Ein Abonnement gilt auf allen Ihren Geräten. Wechseln und kündigen können Sie beim Store; "
            + "der Zugang bleibt bis zum Ende des bezahlten Zeitraums."
    }
    var refundAbout: String { "Über Erstattungen entscheidet der Store." }
    var feedbackAbout: String { "Der Entwickler liest die Bewertungen im Store." }
    func contactAbout(_ account: String) -> String {
        "Wenn Sie dem Entwickler schreiben, nennen Sie Ihr Konto: \(account)."
    }
}
