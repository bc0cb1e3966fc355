/// The family, in its organiser’s voice and in a member’s.
extension FrenchWords {
    var family: String { "Famille" }
    var noFamily: String { "Vous n’êtes dans aucune famille. Vos achats ne sont qu’à vous." }
    var organiserLead: String {
        "Vous organisez cette famille : vous approuvez les demandes des enfants."
    }
    func memberLead(_ name: String) -> String {
        "\(name) organise cette famille."
    }
    var members: String { "Membres" }
    var member: String { "Membre" }
    var organiser: String { "Organisateur" }
    var you: String { "Vous" }
    var joined: String { "Membre depuis" }
    var askToBuy: String { "Demande d’achat" }
    func askToBuyFor(_ name: String) -> String {
        "Demande d’achat pour \(name)"
    }
    var switchedOn: String { "Activé" }
    var switchedOff: String { "Désactivé" }
    var turnOn: String { "Activer" }
    var turnOff: String { "Désactiver" }
    var requests: String { "Demandes" }
    var noRequests: String { "Aucune demande en attente." }
    var askedBy: String { "Demandé par" }
    var timeLeft: String { "Temps restant" }
    func hoursLeft(hours: Int, minutes: Int) -> String {
        "\(hours) h \(minutes) min"
    }
    var approve: String { "Approuver" }
    var declineRequest: String { "Refuser" }
    var youShare: String { "Ce que vous partagez" }
    func sharingIsOff(_ name: String) -> String {
        "Le partage de \(name) est désactivé. Activez-le, et votre famille pourra l’utiliser."
    }
    var sharedWith: String { "Partagé avec" }
    var nobody: String { "Personne" }
    var share: String { "Partager" }
    var stopSharing: String { "Ne plus partager" }
    var sharedWithYou: String { "Partagé avec vous" }
    var nothingShared: String { "Personne ne partage rien avec vous pour le moment." }
    func familyIncludes(_ name: String) -> String {
        "Bienvenue. Votre famille partage \(name) avec vous."
    }
    func paysForIt(_ name: String) -> String {
        "\(name) le paie et le gère."
    }
    var shareNew: String { "Partager mes prochains achats" }
    var tellMe: String { "M’informer du partage" }
    var save: String { "Enregistrer" }
    var settings: String { "Réglages" }
    var leaveFamily: String { "Quitter la famille" }
    var leaveAbout: String {
        "Vous perdez aussitôt ce que les autres partagent, et eux ce que vous partagez. Vos "
            + "achats restent à vous."
    }
    var endAbout: String {
        "Vous organisez cette famille : elle prend fin pour tous si vous la quittez."
    }
}

/// What the store wrote to the customer.
extension FrenchWords {
    var mailbox: String { "Messages" }
    var noMails: String { "Il n’y a aucun message." }
    var olderMails: String { "Messages plus anciens" }
    var message: String { "Message" }
    var date: String { "Date" }
    var sentTo: String { "Envoyé à" }
    var asText: String { "En texte" }
}

/// What a customer shares with a publisher.
extension FrenchWords {
    var optIns: String { "Partage avec les éditeurs" }
    var noOptIns: String { "Aucun éditeur ne vous demande rien." }
    func optInBonus(_ length: String) -> String {
        "Si vous partagez, votre période est prolongée de \(length)."
    }
    var sharesNow: String { "Vous partagez nom, adresse e-mail et code postal avec l’éditeur." }
    var yourName: String { "Nom" }
    var yourEmail: String { "Adresse e-mail" }
    var postalCode: String { "Code postal" }
    var shareDetails: String { "Partager" }
    var dontShare: String { "Ne pas partager" }
    var revokeDetails: String { "Ne plus partager" }
}

/// What is refused, and what was done.
extension FrenchWords {
    func roomRefusal(_ code: String) -> String? {
        switch code {
        case "unknownTransaction":
            "Vous n’avez pas d’achat de ce genre."
        case "unknownProduct":
            "Ceci n’est pas vendu ici."
        case "refundAlreadyRequested":
            "Un remboursement de cet achat a déjà été demandé."
        case "notRefundable":
            "Le remboursement de cet achat ne peut pas être demandé ici."
        case "alreadyRevoked":
            "Le prix de cet achat a déjà été remboursé."
        case "nothingPaid":
            "Rien n’a été payé pour cet achat."
        case "reasonMissing":
            "Choisissez une raison."
        case "badCode":
            "Un code a de 3 à 64 lettres de A à Z et chiffres de 0 à 9, par exemple SPRING26."
        case "unknownCode":
            "Ce code n’existe pas. Vérifiez votre saisie."
        case "codeExpired":
            "Ce code a expiré."
        case "codeRedeemed":
            "Ce code a déjà été utilisé."
        case "offerRedeemedBefore":
            "Vous avez déjà profité de cette offre."
        case "customCodeTyped":
            "Ce code s’utilise dans l’app ou par son lien, pas en le saisissant ici."
        case "invalidOfferIdentifier":
            "Cette offre n’existe plus."
        case "tooManyRequests":
            "Trop de tentatives. Réessayez plus tard."
        case "requestClosed":
            "Cette demande a déjà reçu une réponse ou a expiré."
        case "unknownPurchaseRequest":
            "Cette demande n’existe pas."
        case "sandboxCannotApprove":
            "Dans le Sandbox, personne ne peut approuver ; la demande peut être refusée."
        case "needsApproval":
            "Quelqu’un de votre famille doit d’abord l’approuver."
        case "notInFamily":
            "Vous n’êtes dans aucune famille."
        case "notShareable":
            "Cet achat ne peut pas être partagé."
        case "notOrganiser":
            "Seul l’organisateur de la famille peut le faire."
        case "invalidQuantity":
            "La quantité est un nombre de 1 à 10."
        case "invalidSetting":
            "Indiquez votre nom et une adresse e-mail telle que ada@example.com."
        case "notAsked":
            "Personne ne vous le demande."
        default: nil
        }
    }

    func roomDone(_ name: String) -> String? {
        switch name {
        case "buy":
            "C’est fait. Merci de votre achat."
        case "redeem":
            "Le code est utilisé. Profitez-en bien."
        case "approve":
            "Vous avez approuvé."
        case "declineRequest":
            "Vous avez refusé. Rien n’a été acheté."
        case "approvedInVain":
            "Vous avez approuvé, mais rien n’a été acheté : ce n’était plus disponible ou n’a "
                + "pas pu être payé."
        case "familySettings":
            "Vos réglages sont enregistrés."
        case "leaveFamily":
            "Vous avez quitté la famille."
        case "optInShared":
            "Vous partagez vos coordonnées avec l’éditeur."
        case "optInDeclined":
            "Rien n’est partagé."
        case "settleRequest":
            "C’est réglé, et votre achat s’est poursuivi."
        default: nil
        }
    }
}
