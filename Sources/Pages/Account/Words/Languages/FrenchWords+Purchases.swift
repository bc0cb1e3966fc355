/// Buying, and what came of it.
extension FrenchWords {
    var buy: String { "Acheter" }
    var subscribe: String { "S’abonner" }
    func buyTitle(_ name: String) -> String {
        "Acheter \(name)"
    }
    func subscribeTitle(_ name: String) -> String {
        "S’abonner à \(name)"
    }
    var quantity: String { "Quantité" }
    func paymentStarts(_ price: String, day: String) -> String {
        "Le \(day), \(price) sera prélevé automatiquement, sauf annulation avant."
    }
    var familyCanShare: String {
        "Vous pouvez le partager avec cinq autres membres de votre famille au plus."
    }
    var ownedAlready: String { "Vous l’avez déjà. Le récupérer ne coûte rien." }
    var yourPurchase: String { "Votre achat" }
    var waitsForFamily: String { "Votre famille doit l’approuver. Rien n’est prélevé jusque-là." }
    var waitsForBank: String {
        "Votre banque n’a pas encore répondu. Vous l’aurez dès que le paiement sera passé."
    }
    func requestLapses(_ day: String) -> String {
        "La demande expire le \(day)."
    }
    var requestOver: String { "Cette demande n’est plus en attente." }
    var beginsLater: String {
        "Rien n’est prélevé maintenant. Cela commence au prochain renouvellement."
    }
    var settle: String { "Régler et acheter" }
    var settleAbout: String {
        "Votre achat a été interrompu. Réglez ce qui reste ouvert avec votre paiement pour le "
            + "poursuivre."
    }
    var termsTitle: String { "Conditions générales" }
    var termsOfSale: String {
        "Le paiement est prélevé quand vous confirmez. Un abonnement se renouvelle au prix "
            + "indiqué sur sa page jusqu’à ce que vous l’annuliez. Annulez-le ici avant la fin "
            + "d’une période, et plus rien n’est prélevé."
    }
    var licence: String { "Contrat de licence" }
    var standardLicence: String { "Le contrat de licence standard s’applique." }
}

/// Redeeming a code, in two screens.
extension FrenchWords {
    var enterCode: String { "Saisir le code" }
    var codeHint: String {
        "Lettres de A à Z et chiffres de 0 à 9 ; majuscules et minuscules se valent."
    }
    var whoseCodes: String {
        "Les codes s’adressent aux nouveaux, actuels et anciens abonnés ; l’offre dit à qui "
            + "elle est ouverte."
    }
    var next: String { "Continuer" }
    var redeemOffer: String { "Profiter de l’offre" }
    func codeOnce(_ amount: String, usual: String) -> String {
        "\(amount) au lieu de \(usual)."
    }
    func codeFreeOnce(_ usual: String) -> String {
        "Gratuit au lieu de \(usual)."
    }
}

/// The history, help with it, and refunds.
extension FrenchWords {
    var purchases: String { "Achats" }
    var noPurchases: String { "Vous n’avez rien acheté dans cette app." }
    var olderPurchases: String { "Achats plus anciens" }
    var receipt: String { "Reçu" }
    var originalDate: String { "Date d’achat d’origine" }
    var paidOn: String { "Payé le" }
    var periodUntil: String { "Période jusqu’au" }
    var amount: String { "Montant" }
    var order: String { "Commande" }
    var givenBack: String { "Remboursé" }
    var claim: String { "Demande de remboursement" }
    var claimOpen: String { "Envoyée" }
    var claimGranted: String { "Acceptée" }
    var claimDeclined: String { "Refusée" }
    var submitRefund: String { "Demander le remboursement" }
    var whyRefund: String { "Pourquoi demandez-vous un remboursement ?" }
    var notMeant: String { "Je ne voulais pas acheter ceci" }
    var childBought: String { "Un enfant l’a acheté sans autorisation" }
    var notWorking: String { "Il ne fonctionne pas comme prévu" }
    var notReceived: String { "Je ne l’ai pas reçu" }
    var otherReason: String { "Une autre raison" }
    var mayLoseAccess: String { "Vous pourriez perdre l’accès à cet achat." }
    var refundSent: String { "Votre demande a été envoyée." }
    func newsByMail(_ address: String) -> String {
        "Des nouvelles arriveront à \(address) sous 48 heures."
    }
    var newsHere: String { "Vous trouverez des nouvelles ici sous 48 heures." }
    var followClaims: String { "Suivez vos demandes sous Achats." }
    var doneButton: String { "Terminé" }
    var purchaseHelp: String { "Aide aux achats" }
    var howCanWeHelp: String { "Comment pouvons-nous vous aider ?" }
    var restorePurchases: String { "Restaurer les achats" }
    func missingAbout(_ app: String) -> String {
        "Ouvrez \(app) et choisissez « Restaurer les achats ». Ce qui attend une approbation "
            + "ou votre banque arrivera de lui-même et figure ci-dessous."
    }
    var nothingWaits: String { "Rien n’est en attente." }
    var howToCancel: String { "Comment annuler ? Sous Abonnements ; vous gardez ce qui est payé." }
    var whoCharged: String {
        "Pourquoi ce prélèvement ? Chaque achat a un reçu avec sa date et son montant."
    }
    func feedbackAbout(_ app: String) -> String {
        "Dites au développeur de \(app), dans l’app, ce qui manque ou ne va pas."
    }
    func contactAbout(_ app: String) -> String {
        "Les questions de contenu vont au développeur de \(app) ; son adresse est dans l’app. "
            + "Paiements et remboursements se règlent ici."
    }
    func iconOf(_ app: String) -> String {
        "Icône de \(app)"
    }
}
