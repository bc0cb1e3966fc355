/// Changing the plan, and what it costs.
extension FrenchWords {
    var nextBill: String { "Prochaine facture" }
    var paymentIsOnItsWay: String { "Le paiement est en cours." }
    var total: String { "Total" }
    var billLine: String { "Pour" }
    var usualPrice: String { "Prix habituel" }
    var toPay: String { "À payer" }
    var withOffer: String { "Avec une offre" }
    var unpaid: String {
        "Votre dernier paiement a échoué. Mettez à jour votre moyen de paiement "
            + "pour ne rien perdre."
    }
    var changePlan: String { "Changer de formule" }
    var noOtherPlans: String { "Il n’y a pas d’autre formule." }
    var current: String { "Votre formule" }
    var takesEffect: String { "Prend effet" }
    var atOnce: String { "Immédiatement" }
    var chargedToday: String { "À payer aujourd’hui" }
    var returned: String { "Remboursé" }
    var approval: String { "Accord" }
    var needsApproval: String { "Un membre de votre famille doit d’abord l’accepter." }
    var confirm: String { "Confirmer" }
    var notNow: String { "Pas maintenant" }
    func commits(to total: String) -> String {
        "12 paiements mensuels, \(total) au total"
    }
    func changeTo(_ name: String) -> String {
        "Passer à \(name)"
    }
    func keepPlan(_ name: String) -> String {
        "Garder \(name)"
    }
    func planWaits(_ name: String, day: String) -> String {
        "Il passe à \(name) le \(day)."
    }
    func nothingMore(until day: String) -> String {
        "Il se termine le \(day). Plus rien ne sera prélevé."
    }
    func paidBy(_ name: String) -> String {
        "\(name) paie et gère cet abonnement."
    }
}

/// Leaving, staying and coming back.
extension FrenchWords {
    var cancel: String { "Annuler l’abonnement" }
    var confirmCancellation: String { "Confirmer l’annulation" }
    var payLess: String { "Ou payez moins" }
    var keep: String { "Garder l’abonnement" }
    var resubscribe: String { "Se réabonner" }
    var resubscribeNow: String { "Se réabonner maintenant" }
    var otherPlans: String { "Autres formules" }
    func changeTo(_ name: String, for price: String) -> String {
        "Passer à \(name) pour \(price)"
    }
    func isOff(until day: String) -> String {
        "Le renouvellement est désactivé. Vous gardez l’accès jusqu’au \(day)."
    }
    func cancels(_ name: String, accessUntil day: String) -> String {
        "Si vous confirmez, \(name) ne se renouvelle pas. Vous gardez l’accès jusqu’au \(day)."
    }
    func cancelsCommitment(of name: String, on day: String) -> String {
        "Si vous confirmez, \(name) se termine après le douzième mois, le \(day). "
            + "D’ici là, vous gardez l’accès et les paiements mensuels continuent."
    }
    func cancelsUnpaid(_ name: String) -> String {
        "Vous n’avez pas accès à \(name) pour l’instant, car le paiement a échoué. "
            + "Si vous confirmez, aucun autre paiement ne sera tenté."
    }
    func resubscribe(to name: String) -> String {
        "Se réabonner à \(name)"
    }
    func offerIsFree(for length: String, then price: String) -> String {
        "Gratuit pendant \(length), puis \(price)."
    }
}

/// A price that goes up, or an offer that ends.
extension FrenchWords {
    var conversionTitle: String { "Votre offre se termine" }
    var reviewIncrease: String { "Voir le prix" }
    var nothingToAnswer: String { "Il n’y a rien à répondre ici." }
    func priceOf(_ name: String, app: String) -> String {
        "\(name) dans \(app)"
    }
    func freeUntil(_ day: String) -> String {
        "Gratuit jusqu’au \(day)"
    }
    func endsUnlessAgreed(_ name: String, on day: String) -> String {
        "Vous ne payez le nouveau prix que si vous l’acceptez. Sans votre accord, "
            + "\(name) se termine le \(day) et rien n’est prélevé."
    }
    func nothingToDo(before day: String) -> String {
        "Vous n’avez rien à faire. Si vous n’en voulez pas à ce prix, annulez avant le \(day)."
    }
    func asksForPrice(_ price: String, from day: String) -> String {
        "Votre accord est demandé pour un nouveau prix : \(price) à partir du \(day)."
    }
    func tellsOfPrice(_ price: String, from day: String) -> String {
        "Le prix change le \(day) : \(price)."
    }
}
