/// Buying, and what came of it.
extension EnglishWords {
    var buy: String { "Buy" }
    var subscribe: String { "Subscribe" }
    func buyTitle(_ name: String) -> String {
        "Buy \(name)"
    }
    func subscribeTitle(_ name: String) -> String {
        "Subscribe to \(name)"
    }
    var quantity: String { "Quantity" }
    func paymentStarts(_ price: String, day: String) -> String {
        "\(price) is charged by itself on \(day), unless you cancel before."
    }
    var familyCanShare: String { "You can share it with up to five others in your family." }
    var ownedAlready: String { "You have this already. Getting it again costs nothing." }
    var yourPurchase: String { "Your Purchase" }
    var waitsForFamily: String {
        "Your family was asked to approve it. Nothing is charged until then."
    }
    var waitsForBank: String {
        "Your bank has not answered yet. You get it as soon as the payment goes through."
    }
    func requestLapses(_ day: String) -> String {
        "The request lapses on \(day)."
    }
    var requestOver: String { "This request does not wait any more." }
    var beginsLater: String { "Nothing is charged now. It begins with the next renewal." }
    var settle: String { "Settle and Buy" }
    var settleAbout: String {
        "Your purchase was interrupted. Settle what is open with your payment, and it goes on."
    }
    var termsTitle: String { "Terms and Conditions" }
    var termsOfSale: String {
        "Payment is charged when you confirm. A subscription renews until you cancel it, at "
            + "the price on its page. Cancel it here before a period ends, and nothing more is "
            + "charged."
    }
    var licence: String { "Licence agreement" }
    var standardLicence: String { "The standard licence agreement applies." }
}

/// Redeeming a code, in two screens.
extension EnglishWords {
    var enterCode: String { "Enter Code" }
    var codeHint: String {
        "Letters A to Z and digits 0 to 9; capital and small letters are the same."
    }
    var whoseCodes: String {
        "Codes are for new, current and former subscribers; each offer says who can have it."
    }
    var next: String { "Continue" }
    var redeemOffer: String { "Redeem Offer" }
    func codeOnce(_ amount: String, usual: String) -> String {
        "\(amount) instead of \(usual)."
    }
    func codeFreeOnce(_ usual: String) -> String {
        "Free instead of \(usual)."
    }
}

/// The history, help with it, and refunds.
extension EnglishWords {
    var purchases: String { "Purchases" }
    var noPurchases: String { "You have bought nothing in this app." }
    var olderPurchases: String { "Older purchases" }
    var receipt: String { "Receipt" }
    var originalDate: String { "Original purchase date" }
    var paidOn: String { "Paid on" }
    var periodUntil: String { "Period until" }
    var amount: String { "Amount" }
    var order: String { "Order" }
    var givenBack: String { "Given back" }
    var claim: String { "Refund request" }
    var claimOpen: String { "Submitted" }
    var claimGranted: String { "Granted" }
    var claimDeclined: String { "Declined" }
    var submitRefund: String { "Request Refund" }
    var whyRefund: String { "Why do you ask for a refund?" }
    var notMeant: String { "I did not mean to buy this" }
    var childBought: String { "A child bought it without permission" }
    var notWorking: String { "It does not work as expected" }
    var notReceived: String { "I did not receive it" }
    var otherReason: String { "Another reason" }
    var mayLoseAccess: String { "You may lose access to this purchase." }
    var refundSent: String { "Your request was submitted." }
    func newsByMail(_ address: String) -> String {
        "You get news at \(address) within 48 hours."
    }
    var newsHere: String { "You find news here within 48 hours." }
    var followClaims: String { "Under Purchases you follow your requests." }
    var doneButton: String { "Done" }
    var purchaseHelp: String { "Purchase Help" }
    var howCanWeHelp: String { "How can we help?" }
    var restorePurchases: String { "Restore Purchases" }
    func missingAbout(_ app: String) -> String {
        "Open \(app) and choose Restore Purchases. What waits for an approval or for your "
            + "bank comes by itself, and stands below."
    }
    var nothingWaits: String { "Nothing waits." }
    var howToCancel: String { "How do I cancel? Under Subscriptions; you keep what is paid." }
    var whoCharged: String {
        "Why was I charged? Each purchase has a receipt with its date and its amount."
    }
    func feedbackAbout(_ app: String) -> String {
        "Tell the developer of \(app) in the app what is missing or wrong."
    }
    func contactAbout(_ app: String) -> String {
        "Questions about contents go to the developer of \(app), whose address is in the app. "
            + "Payments and refunds are handled here."
    }
    func iconOf(_ app: String) -> String {
        "Icon of \(app)"
    }
}
