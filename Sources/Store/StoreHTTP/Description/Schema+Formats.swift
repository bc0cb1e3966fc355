import AppStoreWire
import HTTPSurface
import Outbox
import Store
import SubscriptionRules

extension Schema.Format {
    /// The name of an account: plain, without white space at either end.
    static let account = Self(
        Customer.accountRule,
        pattern: "\(FormatPattern.visible)(\(FormatPattern.plain)*\(FormatPattern.visible))?",
        fits: Customer.isAccount)

    /// A reverse domain name.
    static let bundleID = Self(
        "1 to 155 letters, digits, dots and hyphens", pattern: "[A-Za-z0-9.-]+",
        fits: App.isBundleID)

    /// An http or https URL; empty for none, where the length allows it.
    static let url = Self(
        "\(PostURL.rule), or an empty text for none", pattern: "(\(urlPattern))?"
    ) { $0.isEmpty || PostURL($0) != nil }

    /// A UUID, an underscore and a moment in milliseconds, as the store makes such tokens.
    static let testNotificationToken = Self(
        "a token of a test notification",
        pattern: "\(FormatPattern.uuid)_\(FormatPattern.identifier)", isOfFixedLength: true
    ) { $0.isTestNotificationToken }

    /// Those that only the store has.
    static let ofStore: [Self] = [account, bundleID, url, testNotificationToken]

    /// Where notifications can be posted to. An address of IP version 6 in brackets fits besides,
    /// whose forms are too many to be written here; nobody's name is longer than 253 characters.
    private static let urlPattern: String = {
        let label = "[A-Za-z0-9_-]{1,63}"
        let port =
            "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
        let rest = "[/?]([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
        return "[Hh][Tt][Tt][Pp][Ss]?://\(label)(\\.\(label))*(:(\(port)))?(\(rest))?"
    }()
}

extension String {
    fileprivate var isTestNotificationToken: Bool {
        let parts = split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && String(parts[0]).lowercasedUUID != nil
            && Int64(identifier: String(parts[1])) != nil
    }
}
