package import SubscriptionRules

/// What customers' pages say in French.
package protocol FrenchCustomerWords: CustomerWords {}

extension FrenchCustomerWords {
    package var language: String { "fr" }
}

/// Signing in.
extension FrenchCustomerWords {
    package var signIn: String { "Se connecter" }
    package var developmentWarning: String {
        "Cette connexion sert au développement. Elle ne demande aucun mot de passe : quiconque "
            + "atteint ce port peut être n’importe quel client."
    }
    package var app: String { "App" }
    package var accountName: String { "Compte" }
    package var accountHint: String { "Un nouveau nom ouvre un nouveau compte." }
    package func wrongName(upTo most: Int) -> String {
        "Aucun compte ne peut porter ce nom. Écrivez de 1 à \(most) caractères visibles et "
            + "choisissez une app."
    }
    package var signInFirst: String { "Connectez-vous d’abord." }
}

/// What went wrong.
extension FrenchCustomerWords {
    package var problemTitle: String { "Cela n’a pas fonctionné" }
    package var unknownPage: String { "Cette page n’existe pas." }
    package var tooOften: String { "C’était trop souvent. Réessayez dans un instant." }
}

/// A subscription.
extension FrenchCustomerWords {
    package var manage: String { "Gérer l’abonnement" }
    package var state: String { "État" }
    package var nextBillingDate: String { "Prochain prélèvement" }
    package var endsOn: String { "Se termine le" }
}

/// What is for sale.
extension FrenchCustomerWords {
    package var renewsByItself: String { "Il se renouvelle de lui-même jusqu’à son annulation." }
    package var endsByItself: String { "Il se termine de lui-même et ne se renouvelle pas." }
    package var usedUp: String { "Il se consomme et peut être racheté." }
    package var yoursForGood: String { "Vous l’achetez une fois et le gardez." }
    package func offerCosts(_ amount: String, for length: String, then price: String) -> String {
        "\(amount) pendant \(length), puis \(price)."
    }
    package var redeemCode: String { "Utiliser un code" }
    package var privacyPolicy: String { "Politique de confidentialité" }
    package var noPrivacyPolicy: String {
        "Le développeur n’a publié ici aucune politique de confidentialité."
    }
}

/// The sheet about a price.
extension FrenchCustomerWords {
    package var increaseTitle: String { "Augmentation du prix de l’abonnement" }
    package var oldPrice: String { "Prix actuel" }
    package var newPrice: String { "Nouveau prix" }
    package var from: String { "À partir du" }
    package var agree: String { "Accepter le nouveau prix" }
    package var decline: String { "Ne pas accepter" }
    package var ok: String { "OK" }
    package var reviewOrCancel: String { "Voir ou annuler l’abonnement" }
}

/// Help with purchases.
extension FrenchCustomerWords {
    package var missingPurchase: String { "Un achat manque" }
    package var questions: String { "Questions fréquentes" }
    package var requestRefund: String { "Demander un remboursement" }
    package var feedback: String { "Envoyer des commentaires" }
    package var contact: String { "Nous contacter" }
}

/// Prices and lengths.
extension FrenchCustomerWords {
    package func price(_ amount: String, every period: CalendarPeriod) -> String {
        if period.count == 1 { return "\(amount) par \(unit(period.unit, isOne: true))" }
        let every = period.unit == .week ? "toutes les" : "tous les"
        return "\(amount) \(every) \(length(period))"
    }

    package func length(_ period: CalendarPeriod) -> String {
        "\(period.count) \(unit(period.unit, isOne: period.count == 1))"
    }

    private func unit(_ unit: CalendarPeriod.Unit, isOne: Bool) -> String {
        switch unit {
        case .day: isOne ? "jour" : "jours"
        case .week: isOne ? "semaine" : "semaines"
        case .month: "mois"
        case .year: isOne ? "an" : "ans"
        }
    }
}
