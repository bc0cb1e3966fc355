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
    /// How each member is written: what else a member has is not taken along.
    private let writers: [@Sendable (Value, inout JSONWriter) -> Void]

    package init(_ about: String, _ members: Member...) {
        self.init(about, all: members)
    }

    package init(_ about: String, all members: [Member]) {
        self.about = about
        self.members = members
        writers = members.map(\.write)
    }

    /// What a description says of it.
    package var schema: Schema { .object(about, members.map(\.schema)) }

    /// The same where others stand behind them, which are written by other means.
    package func schema(and others: Schema.Member...) -> Schema {
        .object(about, members.map(\.schema) + others)
    }

    /// Writes the members in the order of the list; what is absent is left out.
    package func write(_ value: Value, to json: inout JSONWriter) {
        for write in writers { write(value, &json) }
    }

    /// Writes such objects as the elements of an array.
    func writeElements(_ elements: [Value], to json: inout JSONWriter) {
        for element in elements { json.elementObject { write(element, to: &$0) } }
    }
}

extension ObjectForm.Member {
    /// Where a value is. Declarations give a key path, of which the compiler makes a function: one
    /// that is asked for itself is looked up step by step at run time, each time.
    package typealias Path<Property> = @Sendable (Value) -> Property

    /// A member whose value is written as it is. The kinds that most answers consist of do the same
    /// themselves, below: here the compiler does not know the type, and looks it up at run time.
    package static func value<Property: WireEncodable & Sendable>(
        _ name: String, _ schema: Schema, _ path: @escaping Path<Property>
    ) -> Self {
        Self(schema: .required(name, schema)) { value, json in
            json.field(named: name, path(value))
        }
    }

    /// The same of a value that may be absent.
    package static func optional<Property: WireEncodable & Sendable>(
        _ name: String, _ schema: Schema, _ path: @escaping Path<Property?>
    ) -> Self {
        Self(schema: .optional(name, schema)) { value, json in
            json.field(named: name, path(value))
        }
    }

    package static func text(
        _ name: String, _ about: String, _ path: @escaping Path<String>
    ) -> Self {
        Self(schema: .required(name, .text(about))) { value, json in
            json.field(named: name, path(value))
        }
    }

    package static func optionalText(
        _ name: String, _ about: String, _ path: @escaping Path<String?>
    ) -> Self {
        Self(schema: .optional(name, .text(about))) { value, json in
            json.field(named: name, path(value))
        }
    }

    package static func integer(
        _ name: String, _ about: String, _ path: @escaping Path<Int64>
    ) -> Self {
        Self(schema: .required(name, .integer(about))) { value, json in
            json.field(named: name, path(value))
        }
    }

    package static func boolean(
        _ name: String, _ about: String, _ path: @escaping Path<Bool>
    ) -> Self {
        Self(schema: .required(name, .boolean(about))) { value, json in
            json.field(named: name, path(value))
        }
    }

    package static func optionalBoolean(
        _ name: String, _ about: String, _ path: @escaping Path<Bool?>
    ) -> Self {
        Self(schema: .optional(name, .boolean(about))) { value, json in
            json.field(named: name, path(value))
        }
    }

    /// A moment, as RFC 3339 text.
    package static func moment(
        _ name: String, _ about: String, _ path: @escaping Path<Instant>
    ) -> Self {
        Self(schema: .required(name, .moment(about))) { value, json in
            json.field(named: name, path(value).iso8601)
        }
    }

    package static func optionalMoment(
        _ name: String, _ about: String, _ path: @escaping Path<Instant?>
    ) -> Self {
        Self(schema: .optional(name, .moment(about))) { value, json in
            json.field(named: name, path(value)?.iso8601)
        }
    }

    /// One of a closed list of texts.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ about: String, _ path: @escaping Path<Choice>
    ) -> Self where Choice.RawValue == String {
        Self(schema: .required(name, .choice(about, Choice.allCases.map(\.rawValue)))) {
            value, json in
            json.field(named: name, path(value).rawValue)
        }
    }

    /// A list of objects.
    package static func list<Element: Sendable>(
        _ name: String, _ about: String, _ path: @escaping Path<[Element]>,
        of form: ObjectForm<Element>
    ) -> Self {
        Self(schema: .required(name, .list(about, of: form.schema))) { value, json in
            json.array(named: name) { json in form.writeElements(path(value), to: &json) }
        }
    }

    /// An object of numbers, each under a name that is only known at run time.
    package static func numbers(
        _ name: String, _ about: String, of element: String,
        _ path: @escaping Path<[String: Int64]>
    ) -> Self {
        Self(schema: .required(name, .map(about, of: .integer(element)))) { value, json in
            json.object(named: name) { json in
                for (name, number) in path(value).sorted(by: { $0.key < $1.key }) {
                    json.field(named: name, number)
                }
            }
        }
    }

    /// A list of texts.
    package static func texts(_ name: String, _ about: String, _ path: @escaping Path<[String]>)
        -> Self
    {
        Self(schema: .required(name, .list(about, of: .text("One.")))) { value, json in
            json.array(named: name) { json in
                for text in path(value) { json.element(text) }
            }
        }
    }
}
