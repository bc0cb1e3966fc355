import AppStoreWire
import ArgumentParser
import HTTPSurface

extension Option {
    /// An option that sets a member of an object: its name, help, values and range are the member's.
    ///
    /// - Parameter reading: reads a text that is typed in another form than the store takes, or
    ///   says better what is wrong with it.
    init<Object, Property>(
        _ member: TypedMember<Object, Property>,
        reading: @escaping @Sendable (String) throws -> String = { $0 }
    ) where Value == MemberChange? {
        let setting = member.setting
        let choices = setting.choices
        let values = choices.isEmpty ? "" : " (values: \(choices.joined(separator: ", ")))"
        let transform: @Sendable (String) throws -> MemberChange = { text in
            try setting.read(text, reading)
        }
        self.init(
            name: .customLong(setting.option),
            help: ArgumentHelp(setting.help + values, valueName: setting.typed),
            completion: choices.isEmpty ? nil : CompletionKind.list(choices), transform: transform)
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
