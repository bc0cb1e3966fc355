package import AppStoreWire

/// How a member is set: by a request, by an option of a command, in a field of a page.
package struct MemberSetting: Sendable {
    package let name: String
    /// The option without its hyphens, which also names the value where it is shown.
    package let option: String
    /// What a request may say.
    package let schema: Schema
    /// Whether a request must say it that makes the object.
    let isRequired: Bool
    let about: String
    let words: [MemberWord]
    let none: MemberWord?
    let meaning: String
    /// What help calls that which is typed; nil for the option's own name.
    package let typed: String?
    let unit: String?
    let note: String?

    /// `pendingRenewalDays` is `pending-renewal-days`.
    static func option(of name: String) -> String {
        name.reduce(into: "") { option, letter in
            option += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    /// All that can be typed, where it is one of a list.
    package var choices: [String] {
        words.isEmpty ? [] : words.map(\.typed) + [none?.typed].compactMap(\.self)
    }

    /// What an option's help says.
    package var help: String {
        guard case .integer(let range) = schema.kind else { return about }
        return "\(about) (\(range.lowerBound) to \(range.upperBound))"
    }

    /// What is typed, as a change; nil for what cannot be. Words are read in any spelling.
    package func change(typed text: String) -> MemberChange? {
        let all = words + [none].compactMap(\.self)
        let typed = words.isEmpty ? text : choices.spelling(of: text)
        if let word = all.first(where: { $0.typed == typed }) {
            return MemberChange(name: name, json: word.json)
        }
        let json = schema.value(ofText: text)
        guard words.isEmpty, schema.fits(json) else { return nil }
        return MemberChange(name: name, json: json)
    }

    /// What a field of a page has, as a change; what cannot be is left to the store to refuse.
    package func change(ofText text: String) -> MemberChange {
        MemberChange(name: name, json: schema.value(ofText: text))
    }

    /// What is set, as a request would say it.
    package func text(of json: JSONValue?) -> String { (json ?? none?.json)?.plain ?? "" }

    /// What is set, as people read it in a line.
    package func phrase(for json: JSONValue?) -> String {
        guard let json else {
            guard let word = none?.typed else { return "" }
            return word == "none" ? word : "\(word), \(meaning)"
        }
        var text = words.first { $0.json == json }?.typed ?? json.plain
        if let unit { text += text == "1" ? " \(unit)" : " \(unit)s" }
        return note.map { "\(text), \($0)" } ?? text
    }
}

/// What a request says of one member.
package struct MemberChange: Sendable, Equatable {
    package let name: String
    package let json: JSONValue

    package init(name: String, json: JSONValue) {
        self.name = name
        self.json = json
    }
}

extension JSONWriter {
    /// Writes what a request says of one member.
    package mutating func write(_ change: MemberChange) { field(named: change.name, change.json) }
}

extension JSONValue {
    fileprivate var plain: String {
        if let string { return string }
        if let integer { return String(integer) }
        return bool.map { $0 ? "true" : "false" } ?? ""
    }

    /// A value for none, as a sentence names it.
    var named: String { plain.isEmpty ? "empty" : plain }
}
