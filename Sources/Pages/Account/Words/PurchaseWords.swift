/// Buying, and what came of it.
protocol BuyWords: Sendable {
    var buy: String { get }
    var subscribe: String { get }
    func buyTitle(_ name: String) -> String
    func subscribeTitle(_ name: String) -> String
    var quantity: String { get }
    func paymentStarts(_ price: String, day: String) -> String
    var familyCanShare: String { get }
    var ownedAlready: String { get }
    var yourPurchase: String { get }
    var waitsForFamily: String { get }
    var waitsForBank: String { get }
    func requestLapses(_ day: String) -> String
    var requestOver: String { get }
    var beginsLater: String { get }
    var settle: String { get }
    var settleAbout: String { get }
    var termsTitle: String { get }
    var termsOfSale: String { get }
    var licence: String { get }
    var standardLicence: String { get }
}

/// Redeeming a code, in two screens.
protocol CodeWords: Sendable {
    var enterCode: String { get }
    var codeHint: String { get }
    var whoseCodes: String { get }
    var next: String { get }
    var redeemOffer: String { get }
    func codeOnce(_ amount: String, usual: String) -> String
    func codeFreeOnce(_ usual: String) -> String
}

/// The history, help with it, and refunds.
protocol HelpWords: Sendable {
    var purchases: String { get }
    var noPurchases: String { get }
    var olderPurchases: String { get }
    var receipt: String { get }
    var originalDate: String { get }
    var paidOn: String { get }
    var periodUntil: String { get }
    var amount: String { get }
    var order: String { get }
    var givenBack: String { get }
    var claim: String { get }
    var claimOpen: String { get }
    var claimGranted: String { get }
    var claimDeclined: String { get }
    var submitRefund: String { get }
    var whyRefund: String { get }
    var notMeant: String { get }
    var childBought: String { get }
    var notWorking: String { get }
    var notReceived: String { get }
    var otherReason: String { get }
    var mayLoseAccess: String { get }
    var refundSent: String { get }
    func newsByMail(_ address: String) -> String
    var newsHere: String { get }
    var followClaims: String { get }
    var doneButton: String { get }
    var purchaseHelp: String { get }
    var howCanWeHelp: String { get }
    var restorePurchases: String { get }
    func missingAbout(_ app: String) -> String
    var nothingWaits: String { get }
    var howToCancel: String { get }
    var whoCharged: String { get }
    func feedbackAbout(_ app: String) -> String
    func contactAbout(_ app: String) -> String
    func iconOf(_ app: String) -> String
}
