import AppStoreSigning
package import AppStoreWire
package import SubscriptionRules

/// What a store answered on `/connect` or `/storefront`, read member by member.
package struct Answer: Sendable {
    package var value: JSONValue
    /// What was asked, for complaints.
    package var source: String

    /// - Parameters:
    ///   - value: what was answered.
    ///   - source: what was asked, such as `GET /connect/v1/clock`.
    package init(value: JSONValue, source: String) {
        self.value = value
        self.source = source
    }

    /// A text that must be there. Marks that could drive a terminal are taken out.
    package func text(_ key: String) throws -> String { try need(key, optionalText(key)) }

    /// A whole number that must be there.
    package func integer(_ key: String) throws -> Int64 { try need(key, value[key]?.integer) }

    /// A truth that must be there.
    package func bool(_ key: String) throws -> Bool { try need(key, value[key]?.bool) }

    /// A moment that must be there.
    package func moment(_ key: String) throws -> Instant { try need(key, optionalMoment(key)) }

    /// An object that must be there.
    package func object(_ key: String) throws -> Answer {
        Answer(value: .object(try need(key, value[key]?.object)), source: source)
    }

    /// A list that must be there.
    package func list(_ key: String) throws -> [Answer] {
        try need(key, value[key]?.array).map { Answer(value: $0, source: source) }
    }

    /// A text, or a number as text; nil where there is none.
    package func optionalText(_ key: String) -> String? {
        (value[key]?.string ?? value[key]?.integer.map { String($0) }).map(Answer.harmless)
    }

    /// The whole numbers of an object that must be there, in the order of their names.
    package func numbers(_ key: String) throws -> [(name: String, number: Int64)] {
        var numbers: [(name: String, number: Int64)] = []
        for (name, value) in try need(key, value[key]?.object).sorted(by: { $0.key < $1.key }) {
            guard let number = value.integer else { throw lacks(key) }
            numbers.append((name: Answer.harmless(name), number: number))
        }
        return numbers
    }

    package func optionalInteger(_ key: String) -> Int64? { value[key]?.integer }

    package func optionalMoment(_ key: String) -> Instant? {
        value[key]?.string.flatMap { Instant(iso8601: $0) }
    }

    package func texts(_ key: String) -> [String] {
        value[key]?.array?.compactMap(\.string).map(Answer.harmless) ?? []
    }

    /// A product and how many of it: `plus.monthly`, `3 of coins`.
    package func bought() throws -> String {
        let (product, quantity) = (try text("productId"), try integer("quantity"))
        return quantity == 1 ? product : "\(quantity) of \(product)"
    }

    private func need<Value>(_ key: String, _ found: Value?) throws -> Value {
        guard let found else { throw lacks(key) }
        return found
    }

    /// What is said where a member is missing.
    package func lacks(_ key: String) -> UnusableAnswer {
        UnusableAnswer(source: source, member: key)
    }

    /// All of it, with harmless texts.
    package var harmless: JSONValue { Answer.harmless(value) }

    private static func harmless(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(harmless(text))
        case .array(let elements): .array(elements.map { harmless($0) })
        case .object(let members): .object(members.mapValues { harmless($0) })
        case .null, .bool, .integer, .number: value
        }
    }

    /// A text without control characters, marks that reorder a line and others that nobody sees:
    /// account names come from whoever signed in, and go to a terminal.
    private static func harmless(_ text: String) -> String {
        let hidden = InvisibleCharacter.all(in: text)
        guard !hidden.isEmpty else { return text }
        var scalars = Array(text.unicodeScalars)
        for one in hidden { scalars[one.place - 1] = "\u{FFFD}" }
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: scalars)
        return String(safe)
    }
}

/// An answer lacks a member that every store of this version gives, or has no such value there.
package struct UnusableAnswer: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked.
    package let source: String
    /// The member.
    package let member: String

    package var description: String {
        "The answer to \(source) lacks a usable `\(member)`; is the store of another version?"
    }
}

extension Answer {
    /// The same with what its signed members say beside them, for whoever reads JSON:
    /// `transactionInfo` beside `signedTransactionInfo`, in the names of Apple's API.
    package var opened: Answer {
        guard var members = value.object else { return self }
        for key in members.keys where key.hasPrefix("signed") {
            let name = JSONValue.openedName(of: key)
            // Some come opened already.
            guard members[name] == nil, let payload = payload(key) else { continue }
            members[name] = payload
        }
        return Answer(value: .object(members), source: source)
    }

    /// What a signed member says; nil where there is none. It comes straight from the store, so
    /// nobody verifies it.
    package func payload(_ key: String) -> JSONValue? {
        value[key]?.string.flatMap { JSONValue(ofSigned: $0) }
    }

    /// What the header of a signed member says, likewise.
    package func header(_ key: String) -> JSONValue? {
        value[key]?.string.flatMap { JSONValue(headerOfSigned: $0) }
    }

    /// What the attempts at a notification came to, those in a row that came to the same counted:
    /// `SOCKET_ISSUE × 4, SUCCESS`.
    ///
    /// - Parameter times: the sign before the count.
    package func attemptResults(times: String = "×") throws -> String {
        var runs: [(result: String, count: Int)] = []
        for attempt in try list("attempts") {
            let result = try attempt.text("result")
            if runs.last?.result == result {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((result, 1))
            }
        }
        return runs.map { $0.count > 1 ? "\($0.result) \(times) \($0.count)" : $0.result }
            .joined(separator: ", ")
    }

    /// The same with more members, such as what the answer is about.
    package func with(_ more: [String: JSONValue?]) -> Answer {
        let known = value.object ?? [:]
        return Answer(
            value: .object(known.merging(more.compactMapValues(\.self)) { old, _ in old }),
            source: source)
    }
}
