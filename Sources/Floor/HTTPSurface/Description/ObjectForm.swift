package import AppStoreWire
package import SubscriptionRules

/// An object of our own surfaces, declared once: its members, each with its name, its sentence and
/// where its value is. Description, writer and readers are made of the same list.
package struct ObjectForm<Value: Sendable>: Sendable {
    /// Sets one member of an object.
    package typealias Change = @Sendable (inout Value) -> Void

    /// One member of such an object.
    package struct Member: Sendable {
        /// As an answer has it.
        let schema: Schema.Member
        let write: @Sendable (Value, inout JSONWriter) -> Void
        /// What reading it sets, where it is absent too; nil for what it cannot be. Absent of a
        /// member that nobody reads.
        var read: (@Sendable (JSONValue?) -> Change?)?
        /// Its value, where it is one of JSON's simple ones.
        var json: (@Sendable (Value) -> JSONValue?)?
        /// How it is set; nil for a member that nobody sets.
        package var setting: MemberSetting?
    }

    package let about: String
    package let members: [Member]

    package init(_ about: String, _ members: Member...) {
        self.init(about, all: members)
    }

    package init(_ about: String, all members: [Member]) {
        self.about = about
        self.members = members
    }

    /// What a description says of it.
    package var schema: Schema { .object(about, members.map(\.schema)) }

    /// The same where others stand behind them, which are written by other means.
    package func schema(and others: Schema.Member...) -> Schema {
        .object(about, members.map(\.schema) + others)
    }

    /// Writes the members in the order of the list; what is absent is left out.
    package func write(_ value: Value, to json: inout JSONWriter) {
        for member in members { member.write(value, &json) }
    }
}

extension ObjectForm.Member {
    package typealias Path<Property> = any KeyPath<Value, Property> & Sendable

    /// A member whose value is written as it is.
    package static func value<Property: WireEncodable & Sendable>(
        _ name: String, _ schema: Schema, _ path: Path<Property>
    ) -> Self {
        Self(schema: .required(name, schema)) { value, json in
            json.field(named: name, value[keyPath: path])
        }
    }

    /// The same of a value that may be absent.
    package static func optional<Property: WireEncodable & Sendable>(
        _ name: String, _ schema: Schema, _ path: Path<Property?>
    ) -> Self {
        Self(schema: .optional(name, schema)) { value, json in
            json.field(named: name, value[keyPath: path])
        }
    }

    package static func text(_ name: String, _ about: String, _ path: Path<String>) -> Self {
        .value(name, .text(about), path)
    }

    package static func optionalText(
        _ name: String, _ about: String, _ path: Path<String?>
    ) -> Self {
        .optional(name, .text(about), path)
    }

    package static func integer(_ name: String, _ about: String, _ path: Path<Int64>) -> Self {
        .value(name, .integer(about), path)
    }

    package static func boolean(_ name: String, _ about: String, _ path: Path<Bool>) -> Self {
        .value(name, .boolean(about), path)
    }

    package static func optionalBoolean(
        _ name: String, _ about: String, _ path: Path<Bool?>
    ) -> Self {
        .optional(name, .boolean(about), path)
    }

    /// A moment, as RFC 3339 text.
    package static func moment(_ name: String, _ about: String, _ path: Path<Instant>) -> Self {
        Self(schema: .required(name, .moment(about))) { value, json in
            json.field(named: name, value[keyPath: path].iso8601)
        }
    }

    package static func optionalMoment(
        _ name: String, _ about: String, _ path: Path<Instant?>
    ) -> Self {
        Self(schema: .optional(name, .moment(about))) { value, json in
            json.field(named: name, value[keyPath: path]?.iso8601)
        }
    }

    /// One of a closed list of texts.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ about: String, _ path: Path<Choice>
    ) -> Self where Choice.RawValue == String {
        Self(schema: .required(name, .choice(about, Choice.allCases.map(\.rawValue)))) {
            value, json in
            json.field(named: name, value[keyPath: path].rawValue)
        }
    }

    /// A list of objects.
    package static func list<Element: Sendable>(
        _ name: String, _ about: String, _ path: Path<[Element]>, of form: ObjectForm<Element>
    ) -> Self {
        Self(schema: .required(name, .list(about, of: form.schema))) { value, json in
            json.field(named: name, FormElements(elements: value[keyPath: path], form: form))
        }
    }

    /// An object of numbers, each under a name that is only known at run time.
    package static func numbers(
        _ name: String, _ about: String, of element: String, _ path: Path<[String: Int64]>
    ) -> Self {
        Self(schema: .required(name, .map(about, of: .integer(element)))) { value, json in
            json.field(named: name, NumbersByName(numbers: value[keyPath: path]))
        }
    }

    /// A list of texts.
    package static func texts(_ name: String, _ about: String, _ path: Path<[String]>) -> Self {
        Self(schema: .required(name, .list(about, of: .text("One.")))) { value, json in
            json.field(named: name, value[keyPath: path])
        }
    }
}

/// Numbers by name, in the order of the names.
private struct NumbersByName: WireEncodable {
    let numbers: [String: Int64]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
                json.field(named: name, number)
            }
        }
    }
}

/// A list of objects of one form.
struct FormElements<Element: Sendable>: WireEncodable {
    let elements: [Element]
    let form: ObjectForm<Element>

    func encode(to json: inout JSONWriter) {
        json.array { json in
            for element in elements { json.elementObject { form.write(element, to: &$0) } }
        }
    }
}
