/// The family, in its organiser’s voice and in a member’s.
protocol FamilyWords: Sendable {
    var family: String { get }
    var noFamily: String { get }
    var organiserLead: String { get }
    func memberLead(_ name: String) -> String
    var members: String { get }
    var member: String { get }
    var organiser: String { get }
    var you: String { get }
    var joined: String { get }
    var askToBuy: String { get }
    func askToBuyFor(_ name: String) -> String
    var switchedOn: String { get }
    var switchedOff: String { get }
    var turnOn: String { get }
    var turnOff: String { get }
    var requests: String { get }
    var noRequests: String { get }
    var askedBy: String { get }
    var timeLeft: String { get }
    func hoursLeft(hours: Int, minutes: Int) -> String
    var approve: String { get }
    var declineRequest: String { get }
    var youShare: String { get }
    func sharingIsOff(_ name: String) -> String
    var sharedWith: String { get }
    var nobody: String { get }
    var share: String { get }
    var stopSharing: String { get }
    var sharedWithYou: String { get }
    var nothingShared: String { get }
    func familyIncludes(_ name: String) -> String
    func paysForIt(_ name: String) -> String
    var shareNew: String { get }
    var tellMe: String { get }
    var save: String { get }
    var settings: String { get }
    var leaveFamily: String { get }
    var leaveAbout: String { get }
    var endAbout: String { get }
}

/// What the store wrote to the customer.
protocol MailboxWords: Sendable {
    var mailbox: String { get }
    var noMails: String { get }
    var olderMails: String { get }
    var message: String { get }
    var date: String { get }
    var sentTo: String { get }
    var asText: String { get }
}

/// What a customer shares with a publisher.
protocol OptInWords: Sendable {
    var optIns: String { get }
    var noOptIns: String { get }
    func optInBonus(_ length: String) -> String
    var sharesNow: String { get }
    var yourName: String { get }
    var yourEmail: String { get }
    var postalCode: String { get }
    var shareDetails: String { get }
    var dontShare: String { get }
    var revokeDetails: String { get }
}

/// What these rooms refuse and have done, beside what the manage pages do.
protocol RoomWords: Sendable {
    /// Why the store refused something, by its code; nil for what has no words here.
    func roomRefusal(_ code: String) -> String?
    /// What was just done, by the name of the action.
    func roomDone(_ name: String) -> String?
}
