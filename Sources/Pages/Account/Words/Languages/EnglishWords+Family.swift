/// The family, in its organiser’s voice and in a member’s.
extension EnglishWords {
    var family: String { "Family" }
    var noFamily: String { "You are in no family. What you buy is yours alone." }
    var organiserLead: String { "You organise this family: you approve what the children ask for." }
    func memberLead(_ name: String) -> String {
        "\(name) organises this family."
    }
    var members: String { "Members" }
    var member: String { "Member" }
    var organiser: String { "Organiser" }
    var you: String { "You" }
    var joined: String { "Joined" }
    var askToBuy: String { "Ask to Buy" }
    func askToBuyFor(_ name: String) -> String {
        "Ask to Buy for \(name)"
    }
    var switchedOn: String { "On" }
    var switchedOff: String { "Off" }
    var turnOn: String { "Turn On" }
    var turnOff: String { "Turn Off" }
    var requests: String { "Requests" }
    var noRequests: String { "No request waits." }
    var askedBy: String { "Asked by" }
    var timeLeft: String { "Time left" }
    func hoursLeft(hours: Int, minutes: Int) -> String {
        "\(hours) h \(minutes) min"
    }
    var approve: String { "Approve" }
    var declineRequest: String { "Decline" }
    var youShare: String { "What you share" }
    func sharingIsOff(_ name: String) -> String {
        "Sharing of \(name) is off. Turn it on, and your family can use it."
    }
    var sharedWith: String { "Shared with" }
    var nobody: String { "Nobody" }
    var share: String { "Share" }
    var stopSharing: String { "Stop Sharing" }
    var sharedWithYou: String { "Shared with you" }
    var nothingShared: String { "Nobody shares anything with you now." }
    func familyIncludes(_ name: String) -> String {
        "Welcome. What your family shares includes \(name)."
    }
    func paysForIt(_ name: String) -> String {
        "\(name) pays for it and manages it."
    }
    var shareNew: String { "Share what I buy from now on" }
    var tellMe: String { "Tell me about sharing" }
    var save: String { "Save" }
    var settings: String { "Settings" }
    var leaveFamily: String { "Leave Family" }
    var leaveAbout: String {
        "You lose at once what the others share, and they lose what you share. What you "
            + "bought stays yours."
    }
    var endAbout: String { "You organise this family: it ends for everybody when you leave." }
}

/// What the store wrote to the customer.
extension EnglishWords {
    var mailbox: String { "Messages" }
    var noMails: String { "There are no messages." }
    var olderMails: String { "Older messages" }
    var message: String { "Message" }
    var date: String { "Date" }
    var sentTo: String { "Sent to" }
    var asText: String { "As text" }
}

/// What a customer shares with a publisher.
extension EnglishWords {
    var optIns: String { "Sharing with Publishers" }
    var noOptIns: String { "No publisher asks you for anything." }
    func optInBonus(_ length: String) -> String {
        "If you share, your period is longer by \(length)."
    }
    var sharesNow: String {
        "You share your name, email address and postal code with the publisher."
    }
    var yourName: String { "Name" }
    var yourEmail: String { "Email address" }
    var postalCode: String { "Postal code" }
    var shareDetails: String { "Share" }
    var dontShare: String { "Don’t Share" }
    var revokeDetails: String { "Stop Sharing" }
}

/// What is refused, and what was done.
extension EnglishWords {
    func roomRefusal(_ code: String) -> String? {
        switch code {
        case "unknownTransaction":
            "You have no such purchase."
        case "unknownProduct":
            "This is not sold here."
        case "refundAlreadyRequested":
            "A refund of this purchase was requested already."
        case "notRefundable":
            "A refund of this purchase cannot be requested here."
        case "alreadyRevoked":
            "The price of this purchase was given back already."
        case "nothingPaid":
            "Nothing was paid for this purchase."
        case "reasonMissing":
            "Choose a reason."
        case "badCode":
            "A code has 3 to 64 letters A to Z and digits 0 to 9, such as SPRING26."
        case "unknownCode":
            "There is no such code. Check what you typed."
        case "codeExpired":
            "This code has expired."
        case "codeRedeemed":
            "This code was used already."
        case "offerRedeemedBefore":
            "You have redeemed this offer before."
        case "customCodeTyped":
            "This code works in the app or by its link, not where it is typed in here."
        case "invalidOfferIdentifier":
            "This offer does not exist any more."
        case "tooManyRequests":
            "That was too often. Try again later."
        case "requestClosed":
            "This request was answered already, or has lapsed."
        case "unknownPurchaseRequest":
            "There is no such request."
        case "sandboxCannotApprove":
            "In Sandbox nobody can approve a purchase; the request can be declined."
        case "needsApproval":
            "Somebody in your family has to approve it first."
        case "notInFamily":
            "You are in no family."
        case "notShareable":
            "This purchase cannot be shared."
        case "notOrganiser":
            "Only the organiser of the family can do that."
        case "invalidQuantity":
            "The quantity is a number from 1 to 10."
        case "invalidSetting":
            "Fill in your name, and an email address such as ada@example.com."
        case "notAsked":
            "Nobody asks you for this."
        default: nil
        }
    }

    func roomDone(_ name: String) -> String? {
        switch name {
        case "buy":
            "You’re all set. Thank you for your purchase."
        case "redeem":
            "The code is redeemed. Enjoy what is new."
        case "approve":
            "You have approved it."
        case "declineRequest":
            "You have declined it. Nothing was bought."
        case "approvedInVain":
            "You have approved it, but nothing was bought: it could not be had any more, or "
                + "could not be paid."
        case "familySettings":
            "Your settings are saved."
        case "leaveFamily":
            "You have left the family."
        case "optInShared":
            "You share your details with the publisher."
        case "optInDeclined":
            "Nothing is shared."
        case "settleRequest":
            "It is settled, and your purchase went on."
        default: nil
        }
    }
}
