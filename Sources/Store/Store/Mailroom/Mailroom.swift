package import Letters
package import Mail
import SubscriptionRules

/// What a store needs to tell customers by mail: who writes letters, in whose name they go out, and
/// the relay that takes them, if there is one. Without a relay they are kept for the operator.
public struct Mailroom: Sendable {
    let writer: any LetterWriter
    /// From which address mails are sent, and to which servers report what they cannot deliver.
    let sender: EmailAddress
    var relay: (any MailRelay)?
    /// Where customers manage what they subscribe to; nil where there is no such page.
    let manageURL: String?

    package init(
        writer: any LetterWriter, sender: EmailAddress, relay: (any MailRelay)? = nil,
        manageURL: String? = nil
    ) {
        self.writer = writer
        self.sender = sender
        self.relay = relay
        self.manageURL = manageURL
    }

    /// The same for a world that is a copy of another: its customers are somebody's, and hear from
    /// the original.
    var withoutRelay: Mailroom {
        var mailroom = self
        mailroom.relay = nil
        return mailroom
    }
}

/// To which customers an app's mails are written. What is shown in the app and pushed needs no
/// address.
public enum MailPolicy: String, Sendable, Hashable, CaseIterable {
    /// To those who have an address: one that was set, or an account that is one.
    case addressed
    /// To everybody; what has no address is kept for the operator.
    case everybody
    /// To nobody.
    case nobody
}

extension Customer {
    /// Where mails for this customer go; nil for nowhere.
    var mailAddress: EmailAddress? { EmailAddress(email ?? account) }
}

extension App.Settings {
    /// Whether a customer is written to by a channel (SBX-6: in Sandbox only where the app wants
    /// it). Only mail needs an address.
    func writes(to customer: Customer, by channel: LetterChannel) -> Bool {
        guard customer.environment == .production || sandboxMails else { return false }
        return switch mails {
        case .addressed: channel != .mail || customer.mailAddress != nil
        case .everybody: true
        case .nobody: false
        }
    }
}
