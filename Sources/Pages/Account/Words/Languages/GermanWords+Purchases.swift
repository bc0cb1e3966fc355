/// Buying, and what came of it.
extension GermanWords {
    var buy: String { "Kaufen" }
    var subscribe: String { "Abonnieren" }
    func buyTitle(_ name: String) -> String {
        "\(name) kaufen"
    }
    func subscribeTitle(_ name: String) -> String {
        "\(name) abonnieren"
    }
    var quantity: String { "Anzahl" }
    func paymentStarts(_ price: String, day: String) -> String {
        "Am \(day) wird von selbst abgebucht: \(price). Sie können vorher kündigen."
    }
    var familyCanShare: String { "Sie können es mit bis zu fünf anderen in Ihrer Familie teilen." }
    var ownedAlready: String { "Das haben Sie schon. Sie bekommen es ohne Kosten noch einmal." }
    var yourPurchase: String { "Ihr Kauf" }
    var waitsForFamily: String {
        "Ihre Familie wurde um Zustimmung gebeten. Bis dahin wird nichts abgebucht."
    }
    var waitsForBank: String {
        "Ihre Bank hat noch nicht geantwortet. Sie bekommen es, sobald die Zahlung durch ist."
    }
    func requestLapses(_ day: String) -> String {
        "Die Anfrage verfällt am \(day)."
    }
    var requestOver: String { "Diese Anfrage wartet nicht mehr." }
    var beginsLater: String {
        "Jetzt wird nichts abgebucht. Es beginnt mit der nächsten Verlängerung."
    }
    var settle: String { "Klären und kaufen" }
    var settleAbout: String {
        "Ihr Kauf wurde unterbrochen. Klären Sie, was mit Ihrer Zahlung offen ist, dann geht "
            + "er weiter."
    }
    var termsTitle: String { "Nutzungsbedingungen" }
    var termsOfSale: String {
        "Abgebucht wird, wenn Sie bestätigen. Ein Abonnement verlängert sich zum Preis auf "
            + "seiner Seite, bis Sie kündigen. Kündigen Sie hier vor dem Ende eines Zeitraums, "
            + "dann "
            + "wird nichts mehr abgebucht."
    }
    var licence: String { "Lizenzvertrag" }
    var standardLicence: String { "Es gilt der Standard-Lizenzvertrag." }
}

/// Redeeming a code, in two screens.
extension GermanWords {
    var enterCode: String { "Code eingeben" }
    var codeHint: String { "Buchstaben A bis Z und Ziffern 0 bis 9; groß und klein ist gleich." }
    var whoseCodes: String {
        "Codes sind für neue, jetzige und frühere Abonnenten; das Angebot sagt, wer es haben "
            + "kann."
    }
    var next: String { "Weiter" }
    var redeemOffer: String { "Angebot einlösen" }
    func codeOnce(_ amount: String, usual: String) -> String {
        "\(amount) statt \(usual)."
    }
    func codeFreeOnce(_ usual: String) -> String {
        "Kostenlos statt \(usual)."
    }
}

/// The history, help with it, and refunds.
extension GermanWords {
    var purchases: String { "Käufe" }
    var noPurchases: String { "Sie haben in dieser App nichts gekauft." }
    var olderPurchases: String { "Ältere Käufe" }
    var receipt: String { "Beleg" }
    var originalDate: String { "Ursprüngliches Kaufdatum" }
    var paidOn: String { "Bezahlt am" }
    var periodUntil: String { "Zeitraum bis" }
    var amount: String { "Betrag" }
    var order: String { "Bestellung" }
    var givenBack: String { "Erstattet" }
    var claim: String { "Erstattungsantrag" }
    var claimOpen: String { "Eingereicht" }
    var claimGranted: String { "Bewilligt" }
    var claimDeclined: String { "Abgelehnt" }
    var submitRefund: String { "Erstattung beantragen" }
    var whyRefund: String { "Warum beantragen Sie eine Erstattung?" }
    var notMeant: String { "Ich wollte das nicht kaufen" }
    var childBought: String { "Ein Kind hat es ohne Erlaubnis gekauft" }
    var notWorking: String { "Es funktioniert nicht wie erwartet" }
    var notReceived: String { "Ich habe es nicht bekommen" }
    var otherReason: String { "Ein anderer Grund" }
    var mayLoseAccess: String { "Sie verlieren vielleicht den Zugriff auf diesen Kauf." }
    var refundSent: String { "Ihr Antrag ist eingereicht." }
    func newsByMail(_ address: String) -> String {
        "Nachricht kommt innerhalb von 48 Stunden an \(address)."
    }
    var newsHere: String { "Hier steht innerhalb von 48 Stunden, wie es weitergeht." }
    var followClaims: String { "Unter Käufe verfolgen Sie Ihre Anträge." }
    var doneButton: String { "Fertig" }
    var purchaseHelp: String { "Hilfe zu Käufen" }
    var howCanWeHelp: String { "Wie können wir helfen?" }
    var restorePurchases: String { "Käufe wiederherstellen" }
    func missingAbout(_ app: String) -> String {
        "Öffnen Sie \(app) und wählen Sie „Käufe wiederherstellen“. Was auf Zustimmung oder "
            + "Ihre Bank wartet, kommt von selbst und steht hier unten."
    }
    var nothingWaits: String { "Es wartet nichts." }
    var howToCancel: String { "Wie kündige ich? Unter Abonnements; was bezahlt ist, behalten Sie." }
    var whoCharged: String {
        "Warum wurde abgebucht? Zu jedem Kauf gibt es einen Beleg mit Datum und Betrag."
    }
    func feedbackAbout(_ app: String) -> String {
        "Sagen Sie dem Entwickler von \(app) in der App, was fehlt oder falsch ist."
    }
    func contactAbout(_ app: String) -> String {
        "Fragen zu Inhalten beantwortet der Entwickler von \(app); die Adresse steht in der "
            + "App. Zahlungen und Erstattungen regeln Sie hier."
    }
    func iconOf(_ app: String) -> String {
        "Symbol von \(app)"
    }
}
