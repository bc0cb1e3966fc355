package import AppStoreWire
package import SubscriptionRules

/// What the values of a member are: how they stand in JSON, and how people type and read them.
package struct MemberKind<Value: Sendable>: Sendable {
    /// What it comes to where the member is absent, if it may be.
    struct Absence: Sendable {
        let value: Value
        /// How a request says it that changes a value; nil where none does.
        var word: MemberWord?
        /// What it comes to, as the end of a sentence: `never`; nil where the member says it.
        var meaning: String?
        /// Whether only requests leave the member out.
        var isAnswered = false
    }

    /// The shape of a value in a request, with the sentence about it.
    let asked: @Sendable (String) -> Schema
    /// The shape of a value in an answer.
    let answered: @Sendable (String) -> Schema
    /// Nil for no value.
    let json: @Sendable (Value) -> JSONValue?
    /// Nil for what is no such value.
    let value: @Sendable (JSONValue) -> Value?
    /// Every value, where people type and read other words than JSON has.
    let words: [MemberWord]
    /// What help calls that which is typed; nil for the option's own name.
    let typed: String?
    var absence: Absence?

    /// - Parameters:
    ///   - asked: the shape of a value in a request, with the sentence about it.
    ///   - answered: the shape in an answer, where less can be promised than is asked for.
    ///   - json: how a value stands in JSON.
    ///   - value: reads it from there; nil for what is none.
    ///   - words: every value, where people type and read words of their own.
    ///   - typed: what help calls that which is typed.
    package init(
        asked: @escaping @Sendable (String) -> Schema,
        answered: (@Sendable (String) -> Schema)? = nil,
        json: @escaping @Sendable (Value) -> JSONValue?,
        value: @escaping @Sendable (JSONValue) -> Value?, words: [MemberWord] = [],
        typed: String? = nil
    ) {
        self.asked = asked
        self.answered = answered ?? asked
        self.json = json
        self.value = value
        self.words = words
        self.typed = typed
    }

    /// The same where there may be no value.
    ///
    /// - Parameters:
    ///   - none: what a request says for it.
    ///   - typed: what people type and read for it.
    ///   - meaning: what it comes to, as the end of a sentence: `never`.
    package func or(
        _ none: JSONValue, typed: String, for meaning: String
    ) -> MemberKind<Value?> {
        let own = self
        var kind = MemberKind<Value?>(
            asked: { about in own.asked(about).taking(none) }, answered: own.answered,
            json: { (value: Value?) -> JSONValue? in value.flatMap(own.json) },
            value: { (json: JSONValue) -> Value?? in
                if json == none { return .some(nil) }
                guard let value = own.value(json) else { return nil }
                return .some(value)
            }, words: words, typed: self.typed)
        kind.absence = MemberKind<Value?>.Absence(
            value: nil, word: MemberWord(json: none, typed: typed), meaning: meaning)
        return kind
    }

    /// The same in an object that has no such member where there is no value.
    ///
    /// - Parameter meaning: what that comes to, where the sentence of the member does not say it.
    package func ifAny(absentFor meaning: String? = nil) -> MemberKind<Value?> {
        let own = self
        var kind = MemberKind<Value?>(
            asked: own.asked, answered: own.answered,
            json: { (value: Value?) -> JSONValue? in value.flatMap(own.json) },
            value: { (json: JSONValue) -> Value?? in
                guard let value = own.value(json) else { return nil }
                return .some(value)
            }, words: words, typed: typed)
        kind.absence = MemberKind<Value?>.Absence(value: nil, meaning: meaning)
        return kind
    }

    /// The same which a request may leave out; an answer never does.
    package func unlessGiven(_ value: Value) -> Self {
        var kind = self
        kind.absence = Absence(value: value, isAnswered: true)
        return kind
    }
}

/// A JSON value, and what people type and read for it.
package struct MemberWord: Sendable {
    package let json: JSONValue
    package let typed: String

    package init(json: JSONValue, typed: String) {
        self.json = json
        self.typed = typed
    }
}

// MARK: Texts

extension MemberKind where Value == String {
    /// A text of one form.
    package static func text(
        _ length: ClosedRange<Int>, _ format: Schema.Format, typed: String = "text"
    ) -> Self {
        Self(
            asked: { .text($0, length, format) }, json: { JSONValue.string($0) },
            value: { $0.string }, typed: typed)
    }

    /// A text without control characters.
    package static func line(_ length: ClosedRange<Int>) -> Self {
        Self(
            asked: { .text($0, length, .plain) }, answered: { .text($0) },
            json: { JSONValue.string($0) }, value: { $0.string }, typed: "text")
    }

    /// Any text, of which only answers tell.
    package static var free: Self {
        Self(asked: { .text($0) }, json: { JSONValue.string($0) }, value: { $0.string })
    }

    /// A language, and perhaps a region: `de-AT` is read as `de_AT`.
    package static var locale: Self {
        Self(
            asked: { .text($0, 2...35, .locale) }, json: { JSONValue.string($0) },
            value: { $0.string?.replacing("-", with: "_") }, typed: "locale")
    }
}

extension MemberKind where Value == [String] {
    /// A list of texts, of which only answers tell.
    package static func texts(_ about: String) -> Self {
        Self(
            asked: { .list($0, of: .text(about)) },
            json: { JSONValue.array($0.map { JSONValue.string($0) }) },
            value: { $0.array.map { $0.compactMap(\.string) } })
    }
}

extension MemberKind {
    /// A storefront by its code.
    package static func storefront() -> Self where Value == Storefront {
        Self(
            asked: { .storefront($0) }, json: { JSONValue.string($0.code) },
            value: { $0.string.flatMap { Storefront(code: $0) } }, typed: "code")
    }
}

extension MemberKind {
    /// A moment, as RFC 3339 text.
    package static func moment() -> Self where Value == Instant {
        Self(
            asked: { .moment($0) }, json: { JSONValue.string($0.iso8601) },
            value: { $0.string.flatMap { Instant(iso8601: $0) } })
    }
}

// MARK: Numbers, choices, yes or no

extension MemberKind where Value == Int {
    /// A whole number in a range.
    package static func count(_ range: ClosedRange<Int>) -> Self {
        let bounds = Int64(range.lowerBound)...Int64(range.upperBound)
        return Self(
            asked: { .integer($0, bounds) }, json: { JSONValue.integer(Int64($0)) },
            value: { $0.wholeNumber.flatMap { Int(exactly: $0) } }, typed: "n")
    }
}

extension MemberKind where Value == Int64 {
    /// A whole number in a range.
    package static func number(_ range: ClosedRange<Int64> = 0...Int64.max) -> Self {
        Self(
            asked: { .integer($0, range) }, json: { JSONValue.integer($0) },
            value: { $0.wholeNumber }, typed: "n")
    }

    /// The digits of an identifier.
    package static var identifier: Self {
        Self(
            asked: { .identifier($0) }, json: { JSONValue.string(String($0)) },
            value: { $0.string.flatMap { Int64(identifier: $0) } })
    }
}

extension MemberKind where Value == Bool {
    /// Yes or no, in the words that people type and read for them.
    package static func boolean(_ yes: String = "on", _ no: String = "off") -> Self {
        Self(
            asked: { .boolean($0) }, json: { JSONValue.bool($0) }, value: { $0.bool },
            words: [
                MemberWord(json: .bool(true), typed: yes),
                MemberWord(json: .bool(false), typed: no),
            ])
    }

    /// Nothing but true, or absent.
    package static var affirmation: Self {
        var kind = Self(
            asked: { .affirmation($0) },
            json: { (value: Bool) -> JSONValue? in value ? JSONValue.bool(true) : nil },
            value: { $0.bool })
        kind.absence = Absence(value: false)
        return kind
    }
}

extension MemberKind {
    /// One of a closed list, by its name in JSON.
    ///
    /// - Parameter typed: what people type and read for a value; nil for its name.
    package static func choice(
        of values: [Value], named name: @escaping @Sendable (Value) -> String,
        typed: ((Value) -> String)? = nil
    ) -> Self {
        let names = values.map { name($0) }
        return Self(
            asked: { .choice($0, names) }, json: { JSONValue.string(name($0)) },
            value: { json in values.first { name($0) == json.string } },
            words: values.map { value in
                MemberWord(json: .string(name(value)), typed: typed?(value) ?? name(value))
            })
    }
}

extension MemberKind
where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a closed list.
    ///
    /// - Parameters:
    ///   - values: those that can be chosen.
    ///   - typed: what people type and read for a value.
    package static func choice(
        of values: [Value] = Array(Value.allCases), typed: ((Value) -> String)? = nil
    ) -> Self {
        choice(of: values, named: { $0.rawValue }, typed: typed)
    }
}

extension Schema {
    /// The same, which takes a value for none besides.
    fileprivate func taking(_ none: JSONValue) -> Schema {
        switch (kind, none) {
        case (.choice(let names), .string(let name)): .choice(about, names + [name])
        case (.integer(let range), .integer(let number)):
            .integer(about, min(range.lowerBound, number)...max(range.upperBound, number))
        case (.text(let length, let format), .string(let text)):
            .text(about, min(length.lowerBound, text.count)...length.upperBound, format)
        default: preconditionFailure("no value for none: \(about)")
        }
    }
}
