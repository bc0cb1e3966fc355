import Mail
public import SubscriptionRules

/// What an app wants of customers who have subscribed: that they share who they are with its
/// publisher (S308-95, S308-96).
public struct OptInTerms: Sendable, Hashable {
    /// What the publisher calls itself, in one language.
    public struct Name: Sendable, Hashable, Localized {
        public var locale: String
        public var name: String

        public init(locale: String, name: String) {
            self.locale = locale
            self.name = name
        }
    }

    /// Under which name it asks; it asks nobody without one.
    public var names: [Name]
    /// The time for nothing that a yes is rewarded with (S308-98).
    public var bonus: CalendarPeriod?

    public init(names: [Name] = [], bonus: CalendarPeriod? = nil) {
        self.names = names
        self.bonus = bonus
    }

    /// The lengths that a bonus can have: those of an offer that is free.
    public static let bonuses = Offer.lengths

    /// - Throws: `StoreError.setting(.invalid)`.
    func check() throws(StoreError) {
        guard names.count <= 100, Set(names.map(\.locale)).count == names.count else {
            throw .setting(
                .invalid("names", reason: "each language comes once, and 100 of them at most"))
        }
        guard names.allSatisfy({ Offer.isName($0.name) }) else {
            throw .setting(.invalid("names", reason: "each name: \(Offer.nameRule)"))
        }
        guard bonus.map(OptInTerms.bonuses.contains) ?? true else {
            let lengths = OptInTerms.bonuses.map(\.iso8601).joined(separator: ", ")
            throw .setting(.invalid("bonus", reason: "it must be one of \(lengths)"))
        }
        guard bonus == nil || !names.isEmpty else {
            throw .setting(.invalid("bonus", reason: "nobody is asked without a name"))
        }
    }
}

/// What a customer shares with a publisher, as the customer has confirmed it.
public struct SharedDetails: Sendable, Hashable {
    public var name: String
    public var email: String
    /// Where a storefront has none, nil.
    public var postalCode: String?

    public init(name: String, email: String, postalCode: String? = nil) {
        self.name = name
        self.email = email
        self.postalCode = postalCode
    }

    /// - Throws: `StoreError.setting(.invalid)`, with no part of what was given.
    func check() throws(StoreError) {
        guard (1...200).contains(name.unicodeScalars.count), CatalogueText.line.allows(name),
            InvisibleCharacter.all(in: name).isEmpty,
            name.contains(where: { !$0.isWhitespace })
        else {
            throw .setting(
                .invalid("name", reason: "it must be 1 to 200 characters of text on one line"))
        }
        guard EmailAddress(email) != nil else {
            throw .setting(.invalid("email", reason: "it must be an address, as of a mail"))
        }
        guard let postalCode else { return }
        let isPlain = postalCode.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D: true
            default: false
            }
        }
        guard isPlain, (1...16).contains(postalCode.utf8.count), postalCode.utf8.first != 0x20,
            postalCode.utf8.last != 0x20
        else {
            throw .setting(
                .invalid(
                    "postalCode", reason: "it must be 1 to 16 letters, digits, blanks and hyphens"))
        }
    }
}

/// Personal data: loggers print values by reflection, so it shows nothing.
extension SharedDetails: CustomStringConvertible, CustomReflectable {
    public var description: String { "SharedDetails" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
