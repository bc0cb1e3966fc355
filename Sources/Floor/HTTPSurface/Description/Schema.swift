/// The shape of a JSON value: what descriptions say of it, and what requests are held
/// against before a handler sees them. One declaration for both, so that they cannot differ.
package struct Schema: Sendable {
    /// What a value can be.
    package indirect enum Kind: Sendable {
        /// A text of so many characters.
        case text(ClosedRange<Int>, Format)
        /// One of these texts.
        case choice([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int64>)
        /// One of these whole numbers.
        case numbers([Int64])
        case boolean
        /// True and nothing else.
        case affirmation
        /// A list of at least so many elements.
        case list(Schema, atLeast: Int)
        /// An object whose members have names that are only known at run time.
        case map(Schema)
        /// An object of members.
        case object(Members)
        /// An object whose other members depend on what one of them says.
        case variants(Variants)
        /// A shape that has a name of its own in a description.
        case named(String)
        /// Any value; for members that are refused for a reason of their own.
        case anything
    }

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let schema: Schema
        package let isRequired: Bool
        /// What it is refused with where it is missing or wrong, where each has its own.
        package var error: (any DeclaredError)?
        /// What an empty list is refused with, where that is another error.
        package var emptyError: (any DeclaredError)?

        package init(
            name: String, schema: Schema, isRequired: Bool, error: (any DeclaredError)? = nil,
            emptyError: (any DeclaredError)? = nil
        ) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
            self.error = error
            self.emptyError = emptyError
        }
    }

    /// The members of an object.
    package struct Members: Sendable {
        package let all: [Member]
        /// Whether others are passed over, and null counts as absent, as Apple's interfaces have
        /// it; else they are refused by name.
        package var isOpen = false
        /// How many must be given, where it matters.
        package var count: Count?

        package init(all: [Member], isOpen: Bool = false, count: Count? = nil) {
            self.all = all
            self.isOpen = isOpen
            self.count = count
        }
    }

    /// How many members an object must have, and how others are refused.
    package struct Count: Sendable {
        package let range: ClosedRange<Int>
        package let code: String
    }

    /// Objects that differ in their members, told apart by one that all have.
    package struct Variants: Sendable {
        /// The member that says which it is: a choice.
        package let key: Member
        /// The members besides it, by what it says, in the order of the choice.
        package let members: [(value: String, members: [Member])]
        /// How a member of another variant is refused.
        package let code: String

        package init(
            key: Member, members: [(value: String, members: [Member])], code: String
        ) {
            self.key = key
            self.members = members
            self.code = code
        }
    }

    package let kind: Kind
    /// What the value is, with its unit.
    package let about: String

    package init(kind: Kind, about: String) {
        self.kind = kind
        self.about = about
    }
}

extension Schema {
    /// A text of a reply, which may be anything.
    package static func text(_ about: String) -> Schema { text(about, 0...Int.max, .free) }

    /// A text of so many characters.
    package static func text(
        _ about: String, _ length: ClosedRange<Int>, _ format: Format = .plain
    ) -> Schema {
        Schema(kind: .text(length, format), about: about)
    }

    package static func uuid(_ about: String) -> Schema { text(about, 36...36, .uuid) }

    package static func moment(_ about: String) -> Schema { text(about, 10...35, .moment) }

    package static func identifier(_ about: String) -> Schema { text(about, 1...19, .identifier) }

    package static func choice(_ about: String, _ values: [String]) -> Schema {
        Schema(kind: .choice(values), about: about)
    }

    package static func integer(
        _ about: String, _ range: ClosedRange<Int64> = 0...Int64.max
    ) -> Schema {
        Schema(kind: .integer(range), about: about)
    }

    package static func numbers(_ about: String, _ values: [Int64]) -> Schema {
        Schema(kind: .numbers(values), about: about)
    }

    package static func boolean(_ about: String) -> Schema { Schema(kind: .boolean, about: about) }

    package static func affirmation(_ about: String) -> Schema {
        Schema(kind: .affirmation, about: about)
    }

    package static func list(_ about: String, of element: Schema, atLeast count: Int = 0) -> Schema
    {
        Schema(kind: .list(element, atLeast: count), about: about)
    }

    /// - Parameter element: what each member is, whatever its name.
    package static func map(_ about: String, of element: Schema) -> Schema {
        Schema(kind: .map(element), about: about)
    }

    package static func object(_ about: String, _ members: Member...) -> Schema {
        object(about, members)
    }

    package static func object(_ about: String, _ members: [Member]) -> Schema {
        Schema(kind: .object(Members(all: members)), about: about)
    }

    /// An object of which at least one member must be given, or exactly one.
    ///
    /// - Parameter code: what other numbers are refused with.
    package static func object(
        _ about: String, of count: ClosedRange<Int>, or code: String, _ members: Member...
    ) -> Schema {
        Schema(
            kind: .object(Members(all: members, count: Count(range: count, code: code))),
            about: about)
    }

    /// An object as Apple's interfaces take it.
    package static func openObject(_ about: String, _ members: Member...) -> Schema {
        openObject(about, all: members)
    }

    package static func openObject(_ about: String, all members: [Member]) -> Schema {
        Schema(kind: .object(Members(all: members, isOpen: true)), about: about)
    }

    package static func named(_ name: String) -> Schema { Schema(kind: .named(name), about: "") }

    package static func anything(_ about: String) -> Schema {
        Schema(kind: .anything, about: about)
    }
}

extension Schema.Member {
    /// A member that is always there.
    package static func required(
        _ name: String, _ schema: Schema, or error: (any DeclaredError)? = nil
    ) -> Schema.Member {
        Schema.Member(name: name, schema: schema, isRequired: true, error: error)
    }

    /// A member that may be absent; on our own surfaces it is never null.
    package static func optional(
        _ name: String, _ schema: Schema, or error: (any DeclaredError)? = nil,
        empty emptyError: (any DeclaredError)? = nil
    ) -> Schema.Member {
        Schema.Member(
            name: name, schema: schema, isRequired: false, error: error, emptyError: emptyError)
    }
}
