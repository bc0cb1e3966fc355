package import AppStoreWire

/// A member of an object, declared once: its name, its sentence, what its values are, and where the
/// value is. All that reads, writes, describes, sets or shows the member is made of it.
package struct TypedMember<Object: Sendable, Value: Sendable>: Sendable {
    package typealias Path = any WritableKeyPath<Object, Value> & Sendable

    package let name: String
    private let about: String
    private let kind: MemberKind<Value>
    private let path: Path
    private let option: String?
    private let unit: String?
    private let note: String?

    /// - Parameters:
    ///   - about: what it is, as one sentence or more. What stands for none is said behind it.
    ///   - option: its option on the command line without hyphens, and its name where it is shown;
    ///     made of the name unless given.
    ///   - unit: what a number counts, as people read it: `day`.
    ///   - note: what stands behind a value where people read it.
    package init(
        _ name: String, _ about: String, _ kind: MemberKind<Value>, _ path: Path,
        option: String? = nil, unit: String? = nil, note: String? = nil
    ) {
        self.name = name
        self.about = about
        self.kind = kind
        self.path = path
        self.option = option
        self.unit = unit
        self.note = note
    }

    /// A member that is told and can be set.
    package var member: ObjectForm<Object>.Member {
        var member = fact
        member.setting = setting
        return member
    }

    /// A member that is only told.
    package var fact: ObjectForm<Object>.Member {
        let (name, kind, path) = (self.name, self.kind, self.path)
        let about = sentence(kind.absence.map { "absent for \($0.meaning)" })
        let schema = kind.answered(about)
        var member = ObjectForm<Object>.Member(
            schema: kind.absence == nil ? .required(name, schema) : .optional(name, schema),
            write: { object, json in json.field(named: name, kind.json(object[keyPath: path])) })
        member.json = { object in kind.json(object[keyPath: path]) }
        member.read = { json in
            let found: Value?
            if let json { found = kind.value(json) } else { found = kind.absence?.value }
            guard let value = found else { return nil }
            return { object in object[keyPath: path as WritableKeyPath<Object, Value>] = value }
        }
        return member
    }

    /// How it is set.
    package var setting: MemberSetting {
        let absence = kind.absence
        return MemberSetting(
            name: name, option: option ?? MemberSetting.option(of: name),
            schema: kind.asked(
                sentence(absence.map { "\($0.word.json.spelled) for \($0.meaning)" })),
            about: sentence(absence.map { "\($0.word.typed) for \($0.meaning)" }),
            words: kind.words, none: absence?.word, meaning: absence?.meaning ?? "",
            typed: kind.typed, unit: unit, note: note)
    }

    /// What it is, and how none is said.
    private func sentence(_ absence: String?) -> String {
        guard let absence else { return about }
        return "\(about.dropLast()); \(absence)."
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

/// How a member is set: by a request, by an option of a command, in a field of a page.
package struct MemberSetting: Sendable {
    package let name: String
    /// The option without its hyphens, which also names the value where it is shown.
    package let option: String
    /// What a request may say.
    package let schema: Schema
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

    /// What is typed, as a change; nil for what cannot be.
    package func change(typed text: String) -> MemberChange? {
        let all = words + [none].compactMap(\.self)
        if let word = all.first(where: { $0.typed == text }) {
            return MemberChange(name: name, json: word.json)
        }
        let json = schema.value(ofText: text)
        guard words.isEmpty, schema.fits(json) else { return nil }
        return MemberChange(name: name, json: json)
    }

    /// What is set, as a request would say it.
    package func text(of json: JSONValue?) -> String { (json ?? none?.json)?.plain ?? "" }

    /// What is set, as people read it in a line.
    package func phrase(for json: JSONValue?) -> String {
        guard let json else {
            let word = none?.typed ?? ""
            return word == "none" ? word : "\(word), \(meaning)"
        }
        var text = words.first { $0.json == json }?.typed ?? json.plain
        if let unit { text += text == "1" ? " \(unit)" : " \(unit)s" }
        return note.map { "\(text), \($0)" } ?? text
    }
}

extension JSONValue {
    fileprivate var plain: String {
        string ?? integer.map { String($0) } ?? bool.map { $0 ? "true" : "false" } ?? ""
    }

    /// As a sentence names it.
    fileprivate var spelled: String { plain.isEmpty ? "empty" : plain }
}
