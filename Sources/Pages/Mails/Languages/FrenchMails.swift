import Letters
import SubscriptionRules

/// Mails in French. The singular goes with 0 and 1; double signs have a narrow space before them.
struct FrenchMails: MailWords {
    let language = "fr"
    let isRightToLeft = false

    func price(_ amount: String, every period: CalendarPeriod) -> Sentence {
        let (one, many, all) =
            switch period.unit {
            case .day: ("jour", "jours", "tous les")
            case .week: ("semaine", "semaines", "toutes les")
            case .month: ("mois", "mois", "tous les")
            case .year: ("an", "ans", "tous les")
            }
        return period.count == 1
            ? "\(amount) par \(words: one)"
            : "\(amount) \(words: "\(all) \(period.count) \(many)")"
    }

    private func more(_ count: Int) -> String { count < 2 ? "\(count) autre" : "\(count) autres" }

    func sentTo(_ account: String, app: String) -> Sentence {
        "Cet e-mail a été envoyé à \(account) en raison d’achats dans \(app)."
    }
    let manage = "Gérer vos abonnements"
    let support = "Assistance"
    let privacy = "Confidentialité"
    let howToTurnOff: Sentence =
        "Vous pouvez désactiver et réactiver le renouvellement à tout moment dans les abonnements "
        + "de votre compte. Ce qui est payé vous reste acquis jusqu’à son terme."

    let colon = "\u{A0}: "
    let price = "Prix"
    let oldPrice = "Prix actuel"
    let newPrice = "Nouveau prix"
    let renews = "Renouvellement le"
    let ends = "Prend fin le"
    let reason = "Motif"
    let insteadOf = "Prix sans offre"
    let paidUntil = "Payé jusqu’au"
    let startsOn = "À partir du"
    let order = "Numéro de commande"
    let date = "Date"
    let bought = "Acheté le"
    let total = "Total"
    let oldRenewal = "Renouvellement prévu"
    let newRenewal = "Nouveau renouvellement"
    let answerBy = "Réponse avant le"
    func quantity(_ count: Int) -> String { "\(count) ×" }

    let agree = "Accepter le nouveau prix"
    let decline = "Ne pas accepter"
    let notNow = "Plus tard"
    let fine = "OK"

    func welcomeSubject(_ name: String) -> Sentence { "Votre abonnement à \(name) a commencé" }
    func welcome(_ name: String, app: String) -> Sentence {
        "Merci de vous être abonné à \(name) dans \(app)."
    }
    func startsFree(until day: String, then price: Sentence) -> Sentence {
        "C’est gratuit jusqu’au \(day). Ce jour-là, le paiement commence automatiquement : "
            + "\(price)."
    }
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence {
        "Vous avez payé \(paid). À partir du \(day), le prix est de \(price)."
    }
    func renewsByItself(on day: String, for price: Sentence) -> Sentence {
        "L’abonnement se renouvelle automatiquement, la prochaine fois le \(day), pour \(price), "
            + "jusqu’à ce que vous désactiviez le renouvellement."
    }
    func commits(to total: String) -> Sentence {
        "Vous vous êtes engagé à 12 paiements mensuels, soit \(total) au total. Si vous désactivez "
            + "le renouvellement, l’abonnement prend fin après le douzième mois."
    }

    func receiptSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Votre reçu pour \(name)" : "Votre reçu pour \(name) et \(words: more(others))"
    }
    func receipt(app: String) -> Sentence { "Voici ce que vous avez acheté dans \(app)." }

    func willRenewSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) se renouvelle bientôt"
            : "\(name) et \(words: more(others)) se renouvellent bientôt"
    }
    func willRenew(_ count: Int) -> Sentence {
        count < 2
            ? "Cet abonnement se renouvelle automatiquement dans le mois qui vient :"
            : "Ces \(words: "\(count)") abonnements se renouvellent automatiquement dans le "
                + "mois qui "
                + "vient :"
    }
    func willExpireSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) prend bientôt fin"
            : "\(name) et \(words: more(others)) prennent bientôt fin"
    }
    func willExpire(_ count: Int) -> Sentence {
        count < 2
            ? "Cet abonnement prend fin dans le mois qui vient :"
            : "Ces \(words: "\(count)") abonnements prennent fin dans le mois qui vient :"
    }

    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence {
        switch reason {
        case .turnedOff: "Le renouvellement est désactivé"
        case .notForSale: "Il n’est plus en vente"
        case .renewalLimit: "Sandbox ne le renouvelle plus"
        }
    }

    func cannotPaySubject(_ name: String) -> Sentence {
        "Veuillez vérifier le paiement de \(name)"
    }
    func cannotPay(_ name: String, price: String, day: String) -> Sentence {
        "\(name) se renouvelle le \(day) pour \(price), et ce montant ne pourra sans doute pas "
            + "être "
            + "débité."
    }
    let updatePayment: Sentence =
        "Veuillez mettre à jour le mode de paiement de votre compte pour ne rien perdre."

    func billingSubject(_ name: String) -> Sentence { "Problème de paiement pour \(name)" }
    func notPaid(_ name: String, price: String) -> Sentence {
        "\(name) n’a pas pu être renouvelé, car \(price) n’a pas pu être débité. Une nouvelle "
            + "tentative aura lieu."
    }
    func accessGoesOn(until day: String) -> Sentence { "Vous gardez l’accès jusqu’au \(day)." }
    let accessIsInterrupted: Sentence = "L’accès est interrompu jusqu’au paiement."
    func endedSubject(_ name: String) -> Sentence { "\(name) a pris fin" }
    func ended(_ name: String, price: String) -> Sentence {
        "\(name) a pris fin, car \(price) n’a pas pu être débité. Vous pouvez vous réabonner à "
            + "tout "
            + "moment."
    }

    func increaseSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Augmentation du prix de \(name)"
            : "Augmentation du prix de \(name) et de \(words: more(others))"
    }
    func consentSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Augmentation du prix de \(name) : votre accord est nécessaire"
            : "Augmentation du prix de \(name) et de \(words: more(others)) : votre accord est "
                + "nécessaire"
    }
    func increase(_ count: Int) -> Sentence {
        count < 2
            ? "Le prix de votre abonnement augmente." : "Les prix de votre abonnement augmentent."
    }
    func increaseStands(before day: String) -> Sentence {
        "Vous n’avez rien à faire. Si vous ne le souhaitez pas à ce prix, désactivez le "
            + "renouvellement avant le \(day)."
    }
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence {
        let price: Sentence =
            count == 1
            ? "Vous ne paierez le nouveau prix que si vous l’acceptez. "
            : "Vous ne paierez les nouveaux prix que si vous les acceptez ; une seule réponse vaut "
                + "pour tous. "
        return names.count == 1
            ? price + "Sans votre accord, \(list(names)) prend fin le \(day)."
            : price + "Sans votre accord, \(list(names)) prennent fin le \(day)."
    }
    let restGoesOn: Sentence = "Le reste de votre abonnement continue."
    private func list(_ names: [String]) -> Sentence { .list(names, ", ", " et ") }

    func conversionSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Votre offre pour \(name) prend fin : votre accord est nécessaire"
            : "Vos offres pour \(name) et \(words: more(others)) prennent fin : votre accord est "
                + "nécessaire"
    }
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence {
        isFree
            ? "Votre période gratuite de \(name) prend fin le \(day). Ensuite, le prix est de "
                + "\(price)."
            : "Votre prix réduit pour \(name) prend fin le \(day). Ensuite, le prix est de "
                + "\(price)."
    }
    func conversions(_ names: [String], day: String) -> Sentence {
        "Vos offres pour \(list(names)) prennent fin le \(day). Ensuite, les prix ci-dessous "
            + "s’appliquent."
    }
    func conversionNeeded(for names: [String], by day: String) -> Sentence {
        names.count == 1
            ? "\(list(names)) ne continue que si vous donnez votre accord avant le \(day) inclus. "
                + "Sinon, cet élément prend fin et rien n’est débité pour lui."
            : "\(list(names)) ne continuent que si vous donnez votre accord avant le \(day) "
                + "inclus. Sinon, ces éléments prennent fin et rien n’est débité pour eux."
    }
    func conversionNeeded(by day: String) -> Sentence {
        "L’abonnement ne continue que si vous donnez votre accord avant le \(day) inclus. Sinon il "
            + "prend fin et rien n’est débité."
    }

    func extendedSubject(_ name: String) -> Sentence { "\(name) se renouvelle plus tard" }
    func extended(_ name: String, day: String) -> Sentence {
        "Nous avons prolongé \(name) gratuitement. Le renouvellement a maintenant lieu le \(day)."
    }

    func discontinuedSubject(_ name: String) -> Sentence { "\(name) n’est plus proposé" }
    func discontinued(_ name: String, day: String) -> Sentence {
        "\(name) n’est plus proposé. L’abonnement vous reste acquis jusqu’au \(day) et ne se "
            + "renouvelle pas ensuite."
    }
    let others: Sentence = "Vous pouvez choisir à la place :"

    func refundedSubject(_ name: String) -> Sentence { "Votre remboursement pour \(name)" }
    func refunded(_ name: String, amount: String) -> Sentence {
        "Votre demande a été acceptée : \(amount) pour \(name) vous est remboursé par le moyen que "
            + "vous aviez utilisé."
    }
    func refundedUnasked(_ name: String, amount: String) -> Sentence {
        "Nous vous remboursons : \(amount) pour \(name) vous est remboursé par le moyen que vous "
            + "aviez utilisé."
    }
    func refundDeclinedSubject(_ name: String) -> Sentence {
        "Votre demande de remboursement pour \(name)"
    }
    func refundDeclined(_ name: String) -> Sentence {
        "Votre demande de remboursement pour \(name) a été refusée. Votre achat vous reste acquis."
    }

    func shareSubject(_ name: String) -> Sentence { "Partagez \(name) avec votre famille" }
    func share(_ name: String) -> Sentence {
        "\(name) peut maintenant être partagé. Activez le partage, et votre famille pourra "
            + "l’utiliser sans supplément."
    }
    func sharedSubject(_ name: String) -> Sentence { "\(name) est partagé avec vous" }
    func shared(_ name: String, by giver: String) -> Sentence {
        "\(giver) partage \(name) avec la famille. Vous pouvez l’utiliser dès maintenant."
    }
}
