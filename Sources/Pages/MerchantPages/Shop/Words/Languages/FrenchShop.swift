import HTMLPages

/// The shop in French.
struct FrenchShop: ShopWords, FrenchCustomerWords {}

/// Signing in.
extension FrenchShop {
    var shop: String { "Boutique" }
    var foot: String { "Cette boutique est une simulation : personne n’est débité." }
    func linkLead(_ name: String) -> String { "Vous vous connectez en tant que \(name)." }
    var usedLink: String {
        "Ce lien a déjà servi, ou ses dix minutes sont passées. Ouvrez de nouveau la boutique dans "
            + "l’app."
    }
    var onlyByLink: String { "Ouvrez la boutique dans l’app : son lien vous connecte." }
}

/// What went wrong, and what was done.
extension FrenchShop {
    var toShop: String { "Vers la boutique" }
    var otherOrigin: String {
        "Aucune page de cette boutique n’a envoyé ceci. Ouvrez de nouveau la page et réessayez."
    }
    var busy: String {
        "La boutique ou le magasin ne répond pas. Réessayez dans un instant."
    }
    var failed: String { "La boutique n’a pas pu le faire. Rien n’a changé." }

    func done(_ name: String) -> String? {
        switch name {
        case "restore": "Vos achats sont restaurés."
        case "restoreNothing": "Il n’y avait rien à restaurer pour ce compte."
        case "agree": "Vous avez accepté le nouveau prix."
        case "decline": "Vous avez refusé le nouveau prix."
        case "acknowledged": "Merci. Le nouveau prix est noté."
        default: nil
        }
    }
}

/// The paywall.
extension FrenchShop {
    func paywallTitle(_ app: String) -> String { "S’abonner à \(app)" }
    var paywallLead: String {
        "Chaque formule dit ce qu’apporte chaque période et ce qu’elle coûte. Rien n’est débité "
            + "avant votre confirmation dans le magasin."
    }
    var plans: String { "Formules" }
    var singlePurchases: String { "Achats à l’unité" }
    var eachPeriod: String { "Chaque période apporte" }
    func comesTo(_ price: String) -> String { "Soit \(price)." }
    func saves(_ percent: Int) -> String { "Économie de \(percent) %." }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "Gratuit pendant \(length). Ensuite \(price), débité automatiquement à partir du \(day) "
            + "sauf si vous résiliez avant."
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "\(amount) au début pour \(length), ensuite \(usual)."
    }
    func familyName(_ name: String) -> String { "\(name) (Famille)" }
    var familyAbout: String {
        "Partage familial : jusqu’à cinq autres membres de votre famille peuvent l’utiliser sur "
            + "tous leurs appareils. Ils rejoignent le groupe là où votre famille est configurée."
    }
    func subscribe(_ name: String, _ price: String) -> String { "S’abonner : \(name), \(price)" }
    func tryFree(_ name: String, _ length: String) -> String {
        "Essayer gratuitement : \(name), \(length)"
    }
    func buy(_ name: String, _ price: String) -> String { "Acheter : \(name), \(price)" }
    var restore: String { "Restaurer les achats" }
    var alreadySubscribed: String { "Déjà abonné ? Connectez-vous avec ce compte" }
    var termsOfUse: String { "Conditions d’utilisation" }
    var renewalTerms: String {
        "Le magasin vous débite à la confirmation. Un abonnement se renouvelle automatiquement au "
            + "prix indiqué, sauf si vous le résiliez au moins 24 heures avant la fin de la "
            + "période ; le renouvellement est débité dans les dernières 24 heures de la période. "
            + "Vous le gérez et le résiliez dans votre compte du magasin."
    }
    var standardTerms: String { "Le contrat de licence standard du magasin s’applique." }
    var readIt: String { "La lire" }
    var cannotPay: String {
        "Les achats sont désactivés pour votre compte du magasin : il n’y a rien à acheter ici. La "
            + "personne qui gère votre compte ou votre famille peut les autoriser."
    }
    var nothingForSale: String { "Rien n’est en vente pour le moment." }
    var compactAbout: String {
        "Sur la montre, vous choisissez une formule et voyez ce que vous avez. Le contenu se lit "
            + "sur téléphone, tablette ou ordinateur."
    }
    var close: String { "Fermer" }
    var yourPlan: String { "Votre formule" }
    var paidUntil: String { "Payé jusqu’au" }
    var otherPlans: String { "Toutes les formules" }
    var seeOptions: String { "Voir vos options" }
    var nextPrice: String { "Prochain prix" }
    var price: String { "Prix" }
}

/// The sheet about a price.
extension FrenchShop {
    var conversionTitle: String { "Votre essai devient un abonnement payant" }
    var priceWaits: String { "Il y a du nouveau sur le prix de votre abonnement." }
    var subscription: String { "Abonnement" }
    var trialNow: String { "Aujourd’hui" }
    var answerBy: String { "Merci de répondre avant le" }
    var later: String { "Fermer et répondre plus tard" }
    var noAnswerNeeded: String {
        "Vous n’avez rien à faire : votre abonnement continue au nouveau prix. Vous pouvez le "
            + "résilier à tout moment d’ici là."
    }
    var withoutAnswer: String {
        "Le nouveau prix n’est débité que si vous l’acceptez. Sans réponse, il ne l’est pas."
    }
    var noSheets: String { "Il n’y a rien de nouveau sur vos prix." }
    var priceStays: String { "Sans réponse, votre prix reste le même." }
    func endsWithoutAnswer(on day: String) -> String {
        "Sans votre accord, votre abonnement se termine le \(day)."
    }
}

/// What is unlocked, and why.
extension FrenchShop {
    var content: String { "Contenu" }
    var free: String { "Gratuit pour tous" }
    var freeAbout: String { "Vous pouvez l’utiliser sans payer, aussi longtemps que vous voulez." }
    var unlocked: String { "Débloqué" }
    var locked: String { "Verrouillé" }

    func reason(_ word: String) -> String {
        switch word {
        case "active", "owned": "Votre achat est payé."
        case "gracePeriod":
            "Votre dernier paiement a échoué. Vous gardez l’accès pendant que le magasin réessaie."
        case "awaitingRenewal":
            "Votre renouvellement est en cours. Vous gardez l’accès en attendant."
        case "billingRetry":
            "Votre dernier paiement a échoué. L’accès revient dès que le magasin peut débiter."
        case "expired": "Votre abonnement est terminé."
        case "refunded": "Le magasin a remboursé votre achat."
        case "sharingEnded": "Votre famille ne partage plus cet achat avec vous."
        case "upgraded": "Vous êtes passé à une autre formule."
        default: "L’achat ne donne pas accès."
        }
    }

    func until(_ day: String) -> String { "Jusqu’au \(day)." }
    var neverBought: String { "Vous ne l’avez pas acheté." }
    var byFamily: String { "Un membre de votre famille le partage avec vous." }
}

/// Help with purchases.
extension FrenchShop {
    var help: String { "Aide" }
    var missingAbout: String {
        "La boutique demande au magasin tout ce que vous avez acheté et le débloque."
    }
    var questionsAbout: String {
        "Un abonnement vaut sur tous vos appareils. Vous changez de formule ou résiliez dans le "
            + "magasin ; l’accès dure jusqu’à la fin de la période payée."
    }
    var refundAbout: String { "Le magasin décide des remboursements." }
    var feedbackAbout: String { "Le développeur lit les avis dans le magasin." }
    func contactAbout(_ account: String) -> String {
        "Quand vous écrivez au développeur, indiquez votre compte : \(account)."
    }
}
