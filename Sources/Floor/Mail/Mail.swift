package import SubscriptionRules

/// A mail to one person, checked: what it holds can be written as a message (RFC 5322) in which
/// nobody's text becomes a field of its own.
package struct Mail: Sendable, Hashable {
    /// Who writes or reads: an address, and a name to show.
    package struct Party: Sendable, Hashable {
        package let name: String?
        package let address: EmailAddress

        package init(_ name: String?, _ address: EmailAddress) {
            self.name = name
            self.address = address
        }
    }

    /// A field besides those that every mail has, such as `Auto-Submitted`.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let from: Party
    package let to: Party
    package let subject: String
    /// For who reads plain text; lines end as they like.
    package let text: String
    /// The same for who reads HTML; nil for a mail of text alone.
    package let html: String?
    package let date: Instant
    /// Without its angle brackets. Whoever sends the mail again gives it the same one, so that
    /// whoever gets it twice can tell.
    package let messageID: String
    /// The language of subject and texts, such as `en` or `pt-BR`; nil where it is not said.
    package let language: String?
    package let fields: [Field]

    /// Throws `MailError` for what cannot be said in a mail.
    package init(
        from: Party, to: Party, subject: String, text: String, html: String? = nil,
        date: Instant, messageID: String, language: String? = nil, fields: [Field] = []
    ) throws(MailError) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.date = date
        self.messageID = messageID
        self.language = language
        self.fields = fields
        try refuseLines(from.name ?? "", in: "From")
        try refuseLines(to.name ?? "", in: "To")
        try refuseLines(subject, in: "Subject")
        guard EmailAddress.isMessageID(messageID) else { throw .messageID }
        guard language.map(Self.isLanguage) ?? true else { throw .language }
        for field in fields { try refuse(field) }
    }

    /// The fields that a mail writes by itself, in lower case; those of its body besides.
    private static let own: Set = [
        "from", "to", "cc", "bcc", "subject", "date", "message-id", "mime-version",
    ]

    /// A control character would end a field, or be dropped on the way.
    private func refuseLines(_ text: String, in field: String) throws(MailError) {
        guard !text.unicodeScalars.contains(where: \.isControl) else {
            throw .controlCharacter(field: field)
        }
    }

    private func refuse(_ field: Field) throws(MailError) {
        try refuseLines(field.value, in: field.name)
        let name = field.name.lowercased()
        guard !name.isEmpty, name.utf8.count <= 60,
            name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }),
            !Self.own.contains(name), !name.hasPrefix("content-")
        else { throw .field(field.name) }
        guard !field.value.isEmpty, field.value.utf8.allSatisfy({ $0 < 0x7F }),
            // Lines of 998 characters at most (RFC 5322 section 2.1.1), which end at spaces only.
            field.value.split(separator: " ").allSatisfy({ $0.utf8.count <= 900 })
        else { throw .value(field: field.name) }
    }

    /// Letters and digits between hyphens (RFC 5646).
    private static func isLanguage(_ tag: String) -> Bool {
        tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) }
    }
}

/// What cannot be said in a mail.
package enum MailError: Error, Hashable {
    /// A line break, or another control character, where one line belongs.
    case controlCharacter(field: String)
    /// What is no name of a field, or the name of one that the mail writes by itself.
    case field(String)
    /// A field's value that is empty, not ASCII, or has a word of more than 900 characters.
    case value(field: String)
    /// A Message-ID that is not two dotted words with an @ between them.
    case messageID
    /// What is no tag of a language.
    case language
}

extension Unicode.Scalar {
    /// Whether it ends a line, or is no sign at all.
    var isControl: Bool {
        switch self {
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
