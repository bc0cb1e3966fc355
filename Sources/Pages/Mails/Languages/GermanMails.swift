import Letters
import SubscriptionRules

/// Mails in German.
struct GermanMails: MailWords {
    let language = "de"
    let isRightToLeft = false

    func price(_ amount: String, every period: CalendarPeriod) -> Sentence {
        let (one, many) =
            switch period.unit {
            case .day: ("Tag", "Tage")
            case .week: ("Woche", "Wochen")
            case .month: ("Monat", "Monate")
            case .year: ("Jahr", "Jahre")
            }
        return period.count == 1
            ? "\(amount) pro \(words: one)"
            : "\(amount) alle \(words: "\(period.count) \(many)")"
    }

    func sentTo(_ account: String, app: String) -> Sentence {
        "Diese E-Mail ging wegen Käufen in \(app) an \(account)."
    }
    let manage = "Abonnements verwalten"
    let support = "Support"
    let privacy = "Datenschutz"
    let howToTurnOff: Sentence =
        "Sie können die Verlängerung jederzeit in den Abonnements Ihres Kontos ausschalten und "
        + "wieder einschalten. Was bezahlt ist, bleibt Ihnen bis zum Ende."

    let colon = ": "
    let price = "Preis"
    let oldPrice = "Preis bisher"
    let newPrice = "Neuer Preis"
    let renews = "Verlängerung am"
    let ends = "Endet am"
    let reason = "Grund"
    let insteadOf = "Preis ohne Angebot"
    let paidUntil = "Bezahlt bis"
    let startsOn = "Ab"
    let order = "Bestellnummer"
    let date = "Datum"
    let bought = "Gekauft am"
    let total = "Summe"
    let oldRenewal = "Verlängerung bisher"
    let newRenewal = "Neue Verlängerung"
    let answerBy = "Antwort bis"
    func quantity(_ count: Int) -> String { "\(count) ×" }

    let agree = "Neuem Preis zustimmen"
    let decline = "Nicht zustimmen"
    let notNow = "Nicht jetzt"
    let fine = "OK"

    func welcomeSubject(_ name: String) -> Sentence { "Ihr Abonnement von \(name) hat begonnen" }
    func welcome(_ name: String, app: String) -> Sentence {
        "Danke, dass Sie \(name) in \(app) abonniert haben."
    }
    func startsFree(until day: String, then price: Sentence) -> Sentence {
        "Bis zum \(day) ist es kostenlos. An diesem Tag beginnt die Zahlung von selbst: \(price)."
    }
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence {
        "Sie haben \(paid) bezahlt. Ab dem \(day) kostet es \(price)."
    }
    func renewsByItself(on day: String, for price: Sentence) -> Sentence {
        "Es verlängert sich von selbst, das nächste Mal am \(day) für \(price), bis Sie die "
            + "Verlängerung ausschalten."
    }
    func commits(to total: String) -> Sentence {
        "Sie haben 12 monatliche Zahlungen vereinbart, zusammen \(total). Schalten Sie die "
            + "Verlängerung aus, endet es nach dem zwölften Monat."
    }

    func receiptSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Ihre Rechnung für \(name)"
            : "Ihre Rechnung für \(name) und \(words: "\(others)") weitere"
    }
    func receipt(app: String) -> Sentence { "Das haben Sie in \(app) gekauft." }

    func willRenewSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) verlängert sich bald"
            : "\(name) und \(words: "\(others)") weitere verlängern sich bald"
    }
    func willRenew(_ count: Int) -> Sentence {
        count == 1
            ? "Dieses Abonnement verlängert sich im nächsten Monat von selbst:"
            : "Diese \(words: "\(count)") Abonnements verlängern sich im nächsten Monat von selbst:"
    }
    func willExpireSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) endet bald" : "\(name) und \(words: "\(others)") weitere enden bald"
    }
    func willExpire(_ count: Int) -> Sentence {
        count == 1
            ? "Dieses Abonnement endet im nächsten Monat:"
            : "Diese \(words: "\(count)") Abonnements enden im nächsten Monat:"
    }

    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence {
        switch reason {
        case .turnedOff: "Die Verlängerung ist ausgeschaltet"
        case .notForSale: "Es wird nicht mehr verkauft"
        case .renewalLimit: "In der Sandbox verlängert es sich nicht weiter"
        }
    }

    func cannotPaySubject(_ name: String) -> Sentence {
        "Bitte prüfen Sie die Zahlung für \(name)"
    }
    func cannotPay(_ name: String, price: String, day: String) -> Sentence {
        "\(name) verlängert sich am \(day) für \(price), und dieser Betrag lässt sich "
            + "voraussichtlich nicht abbuchen."
    }
    let updatePayment: Sentence =
        "Bitte bringen Sie die Zahlungsart in Ihrem Konto auf den neuesten Stand, damit Ihnen "
        + "nichts verloren geht."

    func billingSubject(_ name: String) -> Sentence { "Problem mit der Zahlung für \(name)" }
    func notPaid(_ name: String, price: String) -> Sentence {
        "\(name) konnte nicht verlängert werden, weil sich \(price) nicht abbuchen ließ. Wir "
            + "versuchen es wieder."
    }
    func accessGoesOn(until day: String) -> Sentence { "Sie behalten den Zugang bis zum \(day)." }
    let accessIsInterrupted: Sentence = "Der Zugang ist unterbrochen, bis bezahlt ist."
    func endedSubject(_ name: String) -> Sentence { "\(name) ist beendet" }
    func ended(_ name: String, price: String) -> Sentence {
        "\(name) ist beendet, weil sich \(price) nicht abbuchen ließ. Sie können jederzeit wieder "
            + "abonnieren."
    }

    func increaseSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Preiserhöhung für \(name)"
            : "Preiserhöhung für \(name) und \(words: "\(others)") weitere"
    }
    func consentSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Preiserhöhung für \(name): bitte stimmen Sie zu"
            : "Preiserhöhung für \(name) und \(words: "\(others)") weitere: bitte stimmen Sie zu"
    }
    func increase(_ count: Int) -> Sentence {
        count == 1
            ? "Der Preis Ihres Abonnements steigt." : "Die Preise Ihres Abonnements steigen."
    }
    func increaseStands(before day: String) -> Sentence {
        "Sie müssen nichts tun. Wenn Sie es zu diesem Preis nicht möchten, schalten Sie die "
            + "Verlängerung vor dem \(day) aus."
    }
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence {
        let price: Sentence =
            count == 1
            ? "Den neuen Preis zahlen Sie nur, wenn Sie zustimmen. "
            : "Die neuen Preise zahlen Sie nur, wenn Sie zustimmen; eine Antwort gilt für alle. "
        return names.count == 1
            ? price + "Ohne Ihre Zustimmung endet \(list(names)) am \(day)."
            : price + "Ohne Ihre Zustimmung enden \(list(names)) am \(day)."
    }
    let restGoesOn: Sentence = "Der Rest Ihres Abonnements geht weiter."
    private func list(_ names: [String]) -> Sentence { .list(names, ", ", " und ") }

    func conversionSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Ihr Angebot für \(name) endet: bitte stimmen Sie zu"
            : "Ihre Angebote für \(name) und \(words: "\(others)") weitere enden: bitte stimmen "
                + "Sie zu"
    }
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence {
        isFree
            ? "Ihre kostenlose Zeit mit \(name) endet am \(day). Von da an kostet es \(price)."
            : "Ihr ermäßigter Preis für \(name) endet am \(day). Von da an kostet es \(price)."
    }
    func conversions(_ names: [String], day: String) -> Sentence {
        "Ihre Angebote für \(list(names)) enden am \(day). Von da an gelten die Preise unten."
    }
    func conversionNeeded(for names: [String], by day: String) -> Sentence {
        names.count == 1
            ? "\(list(names)) geht nur weiter, wenn Sie bis zum \(day) zustimmen. Sonst endet es, "
                + "und es wird nichts dafür abgebucht."
            : "\(list(names)) gehen nur weiter, wenn Sie bis zum \(day) zustimmen. Sonst enden "
                + "sie, und es wird nichts dafür abgebucht."
    }
    func conversionNeeded(by day: String) -> Sentence {
        "Es geht nur weiter, wenn Sie bis zum \(day) zustimmen. Sonst endet es, und es wird nichts "
            + "abgebucht."
    }

    func extendedSubject(_ name: String) -> Sentence { "\(name) verlängert sich später" }
    func extended(_ name: String, day: String) -> Sentence {
        "Wir haben Ihnen kostenlos mehr Zeit mit \(name) gegeben. Es verlängert sich jetzt am "
            + "\(day)."
    }

    func discontinuedSubject(_ name: String) -> Sentence { "\(name) wird nicht mehr angeboten" }
    func discontinued(_ name: String, day: String) -> Sentence {
        "\(name) wird nicht mehr angeboten. Es bleibt Ihnen bis zum \(day) und verlängert sich "
            + "dann nicht."
    }
    let others: Sentence = "Stattdessen können Sie eines davon wählen:"

    func refundedSubject(_ name: String) -> Sentence { "Ihre Erstattung für \(name)" }
    func refunded(_ name: String, amount: String) -> Sentence {
        "Ihrem Antrag wurde entsprochen: \(amount) für \(name) gehen auf dem Weg zurück, auf dem "
            + "Sie bezahlt haben."
    }
    func refundedUnasked(_ name: String, amount: String) -> Sentence {
        "Wir haben Ihnen erstattet: \(amount) für \(name) gehen auf dem Weg zurück, auf dem Sie "
            + "bezahlt haben."
    }
    func refundDeclinedSubject(_ name: String) -> Sentence {
        "Ihr Antrag auf Erstattung für \(name)"
    }
    func refundDeclined(_ name: String) -> Sentence {
        "Ihr Antrag auf Erstattung für \(name) wurde abgelehnt. Was Sie gekauft haben, bleibt "
            + "Ihnen."
    }

    func shareSubject(_ name: String) -> Sentence { "Teilen Sie \(name) mit Ihrer Familie" }
    func share(_ name: String) -> Sentence {
        "\(name) lässt sich jetzt teilen. Schalten Sie das Teilen ein, dann kann Ihre Familie es "
            + "ohne Aufpreis nutzen."
    }
    func sharedSubject(_ name: String) -> Sentence { "\(name) wird mit Ihnen geteilt" }
    func shared(_ name: String, by giver: String) -> Sentence {
        "\(giver) teilt \(name) mit der Familie. Sie können es ab jetzt nutzen."
    }
}
