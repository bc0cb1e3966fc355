import HTMLPages

/// Customers' pages in French.
struct FrenchWords: AccountWords, FrenchCustomerWords {}

/// Signing in.
extension FrenchWords {
    var site: String { "Compte" }
    var foot: String { "Cet App Store est une simulation : personne ne paie rien." }
    var signInTitle: String { "Connexion" }
    func linkLead(_ name: String, app: String) -> String {
        "Ceci ouvre le compte de \(name) pour \(app)."
    }
    var usedLink: String {
        "Ce lien a déjà servi, ou ses dix minutes sont passées. Ouvrez de nouveau "
            + "votre compte depuis l’app."
    }
    var onlyByLink: String { "Ouvrez votre compte depuis l’app : son lien vous connecte." }
}

/// What went wrong, and what was done.
extension FrenchWords {
    var goBack: String { "Retour" }
    var toOverview: String { "Vers vos abonnements" }
    var busy: String { "Le store est occupé. Réessayez dans un instant." }
    var failed: String { "Le store n’a pas pu le faire. Rien n’a changé." }

    func refusal(_ code: String) -> String? {
        switch code {
        case "otherOrigin":
            "Ceci ne vient d’aucune page de ce store. Rouvrez la page et réessayez."
        case "repeatedField", "notAForm":
            "Le formulaire est illisible. Rouvrez la page."
        case "unknownPage":
            "Cette page n’existe pas."
        case "unknownSubscription":
            "Vous n’avez pas cet abonnement."
        case "familyShared":
            "Un autre membre de votre famille paie et gère cet abonnement."
        case "paymentDeclined":
            "Votre moyen de paiement a été refusé. Rien n’a changé."
        case "paymentPending":
            "Un paiement précédent est encore en cours. Attendez qu’il soit réglé."
        case "notActive":
            "Cet abonnement est terminé."
        case "notForSale":
            "Cette formule n’est pas vendue ici."
        case "alreadySubscribed":
            "Vous y êtes déjà abonné."
        case "noPriceIncrease":
            "Il n’est plus possible de répondre à ce prix."
        case "amountChanged":
            "Le montant ou l’offre a changé depuis l’ouverture de la page. "
                + "Regardez-la encore une fois."
        case "purchaseInterrupted":
            "Votre achat a été interrompu : il faut d’abord régler un point de votre paiement."
        case "paymentsNotAllowed":
            "Ce compte ne peut rien payer."
        case "ineligibleForOffer":
            "Vous ne pouvez pas bénéficier de cette offre."
        default: nil
        }
    }

    func done(_ name: String) -> String? {
        switch name {
        case "cancel":
            "Le renouvellement est désactivé. Ce que vous avez payé vous reste."
        case "keep":
            "Votre abonnement continue."
        case "changePlan":
            "Votre choix est enregistré."
        case "requestToBuy":
            "Votre famille a reçu la demande d’accord."
        case "resubscribe":
            "Bon retour. Vous êtes abonné."
        case "agree":
            "Vous avez accepté le nouveau prix."
        case "decline":
            "Vous n’avez pas accepté. Le renouvellement est désactivé."
        case "priceSeen":
            "Merci. Vous n’avez rien d’autre à faire."
        default: nil
        }
    }
}

/// The subscriptions.
extension FrenchWords {
    var subscriptions: String { "Abonnements" }
    var noSubscriptions: String {
        "Vous n’avez pas d’abonnement ici. Ce à quoi vous vous abonnez dans l’app se "
            + "gère sur cette page."
    }
    var plan: String { "Formule" }
    var price: String { "Prix" }
    var nextPrice: String { "Prochain prix" }
    var endedOn: String { "Terminé le" }
    var familyShared: String { "Partagé avec vous par votre famille" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "Actif"
        case 2: "Terminé"
        case 3, 4: "Paiement refusé"
        default: "Remboursé"
        }
    }
}
