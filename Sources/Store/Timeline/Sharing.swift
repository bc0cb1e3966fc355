import Journal

/// The words for what a family shares.
extension Words {
    /// Says who of the family gained or lost access, or what the purchaser chose.
    mutating func tellSharing() {
        switch entry.kind {
        case .gainedAccess:
            say("shared with \(member)", .mark)
            if entry.tells("SUBSCRIBED/RESUBSCRIBE") { note("who had it before") }
        case .lostAccess:
            say("no longer shared with \(member)", .retry)
            if let reason = entry.note { note(Words.reason(ofLoss: reason)) }
        case .changedSharing:
            say(entry.note == "on" ? "turned sharing on" : "turned sharing off", .mark)
        default: say("the family's transactions followed", nil)
        }
    }

    private var member: String { entry.member ?? "the family" }

    private static func reason(ofLoss name: String) -> String {
        switch name {
        case "left": "who left the family"
        case "purchaserLeft": "the purchaser left the family"
        case "stopped": "the purchaser stopped sharing"
        case "hidden": "the purchaser hid it"
        case "notShareable": "the new product is not shared"
        case "refunded": "the purchaser was refunded"
        default: Words.spelledOut(name)
        }
    }
}
