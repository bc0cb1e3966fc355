import AppStoreWire
import ArgumentParser
import HTTPSurface

extension Option {
    /// An option that changes a member of an object: its name, help, values and range are the
    /// member's.
    ///
    /// - Parameter reading: reads a text that is typed in another form than the store takes, or
    ///   says better what is wrong with it.
    init<Object, Property>(
        _ member: TypedMember<Object, Property>,
        reading: @escaping @Sendable (String) throws -> String = { $0 }
    ) where Value == MemberChange? {
        let setting = member.setting
        let transform: @Sendable (String) throws -> MemberChange = { text in
            try setting.read(text, reading)
        }
        self.init(
            name: .customLong(setting.option), help: setting.argumentHelp,
            completion: setting.completion, transform: transform)
    }

    /// An option that must be given: the value of a member.
    init<Object>(_ member: TypedMember<Object, Value>) where Value: Sendable {
        let setting = member.setting
        let transform: @Sendable (String) throws -> Value = { text in
            try member.read(text)
        }
        self.init(
            name: .customLong(setting.option), help: setting.argumentHelp,
            completion: setting.completion, transform: transform)
    }

    /// An option with a value unless it is given: that of a member.
    init<Object>(
        wrappedValue: Value, _ member: TypedMember<Object, Value>
    ) where Value: Sendable {
        let setting = member.setting
        let transform: @Sendable (String) throws -> Value = { text in
            try member.read(text)
        }
        self.init(
            wrappedValue: wrappedValue, name: .customLong(setting.option),
            help: setting.argumentHelp, completion: setting.completion, transform: transform)
    }
}

extension TypedMember {
    /// What is typed, as a value.
    ///
    /// - Throws: `ValidationError` that says how it is written.
    fileprivate func read(_ text: String) throws -> Value {
        let change = try setting.read(text, { $0 })
        guard let value = value(of: change) else {
            throw ValidationError("'\(text)' is not valid: write \(setting.schema.expectation).")
        }
        return value
    }
}

extension MemberSetting {
    fileprivate var argumentHelp: ArgumentHelp {
        let values = choices.isEmpty ? "" : " (values: \(choices.joined(separator: ", ")))"
        return ArgumentHelp(help + values, valueName: typed)
    }

    fileprivate var completion: CompletionKind? {
        choices.isEmpty ? nil : CompletionKind.list(choices)
    }
}

extension MemberSetting {
    /// What is typed, as a change.
    ///
    /// - Throws: `ValidationError` that says how it is written.
    fileprivate func read(
        _ text: String, _ reading: (String) throws -> String
    ) throws -> MemberChange {
        if let change = change(typed: text) { return change }
        if case .integer(let range) = schema.kind {
            let number = try Reading.number(range)(text)
            return MemberChange(name: name, json: .integer(number))
        }
        guard choices.isEmpty else {
            throw ValidationError(
                "'\(text)' is no such value: write \(choices.joined(separator: ", "))."
                    + Vocabulary.suggestion(for: text, of: choices))
        }
        guard let change = change(typed: try reading(text)) else {
            throw ValidationError("'\(text)' is not valid: write \(schema.expectation).")
        }
        return change
    }
}
