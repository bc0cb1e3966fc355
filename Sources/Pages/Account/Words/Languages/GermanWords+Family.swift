/// The family, in its organiser’s voice and in a member’s.
extension GermanWords {
    var family: String { "Familie" }
    var noFamily: String { "Sie sind in keiner Familie. Was Sie kaufen, gehört nur Ihnen." }
    var organiserLead: String {
        "Sie organisieren diese Familie: Sie stimmen zu, wenn Kinder etwas kaufen wollen."
    }
    func memberLead(_ name: String) -> String {
        "\(name) organisiert diese Familie."
    }
    var members: String { "Mitglieder" }
    var member: String { "Mitglied" }
    var organiser: String { "Organisator" }
    var you: String { "Sie" }
    var joined: String { "Dabei seit" }
    var askToBuy: String { "Kaufanfragen" }
    func askToBuyFor(_ name: String) -> String {
        "Kaufanfragen von \(name)"
    }
    var switchedOn: String { "Ein" }
    var switchedOff: String { "Aus" }
    var turnOn: String { "Einschalten" }
    var turnOff: String { "Ausschalten" }
    var requests: String { "Anfragen" }
    var noRequests: String { "Es wartet keine Anfrage." }
    var askedBy: String { "Von" }
    var timeLeft: String { "Verbleibende Zeit" }
    func hoursLeft(hours: Int, minutes: Int) -> String {
        "\(hours) Std. \(minutes) Min."
    }
    var approve: String { "Zustimmen" }
    var declineRequest: String { "Ablehnen" }
    var youShare: String { "Was Sie teilen" }
    func sharingIsOff(_ name: String) -> String {
        "\(name) wird nicht geteilt. Schalten Sie das Teilen ein, dann hat es auch Ihre Familie."
    }
    var sharedWith: String { "Geteilt mit" }
    var nobody: String { "Niemand" }
    var share: String { "Teilen" }
    var stopSharing: String { "Nicht mehr teilen" }
    var sharedWithYou: String { "Mit Ihnen geteilt" }
    var nothingShared: String { "Jetzt teilt niemand etwas mit Ihnen." }
    func familyIncludes(_ name: String) -> String {
        "Willkommen. Ihre Familie teilt mit Ihnen: \(name)."
    }
    func paysForIt(_ name: String) -> String {
        "\(name) bezahlt und verwaltet es."
    }
    var shareNew: String { "Künftige Käufe teilen" }
    var tellMe: String { "Über das Teilen benachrichtigen" }
    var save: String { "Sichern" }
    var settings: String { "Einstellungen" }
    var leaveFamily: String { "Familie verlassen" }
    var leaveAbout: String {
        "Sie verlieren sofort, was die anderen teilen, und diese verlieren, was Sie teilen. "
            + "Was Sie gekauft haben, bleibt Ihnen."
    }
    var endAbout: String { "Sie organisieren diese Familie: Wenn Sie gehen, endet sie für alle." }
}

/// What the store wrote to the customer.
extension GermanWords {
    var mailbox: String { "Nachrichten" }
    var noMails: String { "Es gibt keine Nachrichten." }
    var olderMails: String { "Ältere Nachrichten" }
    var message: String { "Nachricht" }
    var date: String { "Datum" }
    var sentTo: String { "Gesendet an" }
    var asText: String { "Als Text" }
}

/// What a customer shares with a publisher.
extension GermanWords {
    var optIns: String { "Teilen mit Verlagen" }
    var noOptIns: String { "Kein Verlag bittet Sie um etwas." }
    func optInBonus(_ length: String) -> String {
        "Wenn Sie teilen, verlängert sich Ihr Zeitraum um \(length)."
    }
    var sharesNow: String { "Sie teilen Name, E-Mail-Adresse und Postleitzahl mit dem Verlag." }
    var yourName: String { "Name" }
    var yourEmail: String { "E-Mail-Adresse" }
    var postalCode: String { "Postleitzahl" }
    var shareDetails: String { "Teilen" }
    var dontShare: String { "Nicht teilen" }
    var revokeDetails: String { "Nicht mehr teilen" }
}

/// What is refused, and what was done.
extension GermanWords {
    func roomRefusal(_ code: String) -> String? {
        switch code {
        case "unknownTransaction":
            "Sie haben keinen solchen Kauf."
        case "unknownProduct":
            "Das wird hier nicht verkauft."
        case "refundAlreadyRequested":
            "Für diesen Kauf ist schon eine Erstattung beantragt."
        case "notRefundable":
            "Für diesen Kauf kann hier keine Erstattung beantragt werden."
        case "alreadyRevoked":
            "Der Preis dieses Kaufs ist schon erstattet."
        case "nothingPaid":
            "Für diesen Kauf wurde nichts bezahlt."
        case "reasonMissing":
            "Wählen Sie einen Grund."
        case "badCode":
            "Ein Code hat 3 bis 64 Buchstaben A bis Z und Ziffern 0 bis 9, etwa SPRING26."
        case "unknownCode":
            "Diesen Code gibt es nicht. Prüfen Sie die Eingabe."
        case "codeExpired":
            "Dieser Code ist abgelaufen."
        case "codeRedeemed":
            "Dieser Code ist schon verbraucht."
        case "offerRedeemedBefore":
            "Sie haben dieses Angebot schon eingelöst."
        case "customCodeTyped":
            "Dieser Code gilt in der App oder mit seinem Link, nicht hier eingetippt."
        case "invalidOfferIdentifier":
            "Dieses Angebot gibt es nicht mehr."
        case "tooManyRequests":
            "Das war zu oft. Versuchen Sie es später noch einmal."
        case "requestClosed":
            "Diese Anfrage ist schon beantwortet oder verfallen."
        case "unknownPurchaseRequest":
            "Diese Anfrage gibt es nicht."
        case "sandboxCannotApprove":
            "In der Sandbox kann niemand zustimmen; die Anfrage lässt sich ablehnen."
        case "needsApproval":
            "Zuerst muss jemand in Ihrer Familie zustimmen."
        case "notInFamily":
            "Sie sind in keiner Familie."
        case "notShareable":
            "Dieser Kauf lässt sich nicht teilen."
        case "notOrganiser":
            "Das kann nur, wer die Familie organisiert."
        case "invalidQuantity":
            "Die Anzahl ist eine Zahl von 1 bis 10."
        case "invalidSetting":
            "Geben Sie Ihren Namen und eine E-Mail-Adresse wie ada@example.com an."
        case "notAsked":
            "Danach fragt niemand."
        default: nil
        }
    }

    func roomDone(_ name: String) -> String? {
        switch name {
        case "buy":
            "Alles erledigt. Danke für Ihren Kauf."
        case "redeem":
            "Der Code ist eingelöst. Viel Freude damit."
        case "approve":
            "Sie haben zugestimmt."
        case "declineRequest":
            "Sie haben abgelehnt. Es wurde nichts gekauft."
        case "approvedInVain":
            "Sie haben zugestimmt, aber es wurde nichts gekauft: Es war nicht mehr zu haben "
                + "oder nicht zu bezahlen."
        case "familySettings":
            "Ihre Einstellungen sind gesichert."
        case "leaveFamily":
            "Sie haben die Familie verlassen."
        case "optInShared":
            "Sie teilen Ihre Angaben mit dem Verlag."
        case "optInDeclined":
            "Es wird nichts geteilt."
        case "settleRequest":
            "Es ist geklärt, und Ihr Kauf ging weiter."
        default: nil
        }
    }
}
