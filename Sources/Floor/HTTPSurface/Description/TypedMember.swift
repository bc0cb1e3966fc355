import AppStoreWire

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
        let said = meaning.map { "\(none?.json.named ?? "absent") for \($0)" }
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
