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
        let schema = kind.answered(sentence(kind.absence?.meaning.map { "absent for \($0)" }))
        let isRequired = kind.absence?.isAnswered ?? true
        var member = ObjectForm<Object>.Member(
            schema: isRequired ? .required(name, schema) : .optional(name, schema),
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
        let (none, meaning) = (kind.absence?.word, kind.absence?.meaning)
        // A value that is cleared by a word is not cleared by leaving the member out.
        let said = meaning.map { "\(none?.json.spelled ?? "absent") for \($0)" }
        let typed = meaning.map { "\(none?.typed ?? "absent") for \($0)" }
        return MemberSetting(
            name: name, option: option ?? MemberSetting.option(of: name),
            schema: kind.asked(sentence(said)), isRequired: kind.absence == nil,
            about: sentence(typed), words: kind.words, none: none, meaning: meaning ?? "",
            typed: kind.typed, unit: unit, note: note)
    }

    /// What a request may say, for an object that has no form.
    package var asked: Schema.Member {
        let setting = self.setting
        return setting.isRequired
            ? .required(name, setting.schema) : .optional(name, setting.schema)
    }

    /// A value as people read it in a line.
    package func words(for value: Value) -> String { setting.phrase(for: kind.json(value)) }

    /// What a request says that sets it to a value.
    package func change(to value: Value) -> MemberChange {
        guard let json = kind.json(value) ?? kind.absence?.word?.json else {
            preconditionFailure("\(name) cannot be set to nothing")
        }
        return MemberChange(name: name, json: json)
    }

    /// What a request says that was typed, as a value.
    package func value(of change: MemberChange) -> Value? { kind.value(change.json) }

    /// What a request says, which was checked; nil where it does not name the member.
    package func given(in input: Input) throws(ErrorBody) -> Value? {
        guard input.has(name) else { return nil }
        return try value(in: input)
    }

    /// What a request says, which was checked; where it is absent, what that comes to.
    ///
    /// - Throws: an `ErrorBody` of 400 where there is nothing of use.
    package func value(in input: Input) throws(ErrorBody) -> Value {
        let json = input.value(name)
        let found: Value?
        if let json { found = kind.value(json) } else { found = kind.absence?.value }
        guard let value = found else { throw ErrorBody.invalidMember(name, setting.schema) }
        return value
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

extension JSONWriter {
    /// Writes what a request says of one member.
    package mutating func write(_ change: MemberChange) { field(named: change.name, change.json) }
}

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

extension JSONValue {
    fileprivate var plain: String {
        string ?? integer.map { String($0) } ?? bool.map { $0 ? "true" : "false" } ?? ""
    }

    /// As a sentence names it.
    fileprivate var spelled: String { plain.isEmpty ? "empty" : plain }
}
