import AppStoreWire
import SubscriptionRules

/// The shape of a JSON value: what `/openapi.json` says of it, and what requests are held
/// against before a handler sees them. One declaration for both, so that they cannot differ.
struct Schema: Sendable {
    /// What a value can be.
    indirect enum Kind: Sendable {
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
        /// An object of members.
        case object(Members)
        /// An object whose other members depend on what one of them says.
        case variants(Variants)
        /// A shape that has a name of its own in `/openapi.json`.
        case named(String)
        /// Any value; for members that are refused for a reason of their own.
        case anything
    }

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool
        /// What the App Store Server API says where it is missing or wrong.
        var error: APIError?
        /// What it says of an empty list, where that is another error.
        var emptyError: APIError?
    }

    /// The members of an object.
    struct Members: Sendable {
        let all: [Member]
        /// Whether others are passed over, and null counts as absent, as on the App Store Server
        /// API; else they are refused by name.
        var isOpen = false
        /// How many must be given, where it matters.
        var count: Count?
    }

    /// How many members an object must have, and how others are refused.
    struct Count: Sendable {
        let range: ClosedRange<Int>
        let code: String
    }

    /// Objects that differ in their members, told apart by one that all have.
    struct Variants: Sendable {
        /// The member that says which it is: a choice.
        let key: Member
        /// The members besides it, by what it says, in the order of the choice.
        let members: [(value: String, members: [Member])]
        /// How a member of another variant is refused.
        let code: String
    }

    let kind: Kind
    /// What the value is, with its unit.
    let about: String
}

extension Schema {
    /// A text of a reply, which may be anything.
    static func text(_ about: String) -> Schema { text(about, 0...Int.max, .free) }

    /// A text of so many characters.
    static func text(
        _ about: String, _ length: ClosedRange<Int>, _ format: Format = .plain
    ) -> Schema {
        Schema(kind: .text(length, format), about: about)
    }

    static func uuid(_ about: String) -> Schema { text(about, 36...36, .uuid) }

    static func moment(_ about: String) -> Schema { text(about, 10...35, .moment) }

    static func identifier(_ about: String) -> Schema { text(about, 1...19, .identifier) }

    static func storefront(_ about: String) -> Schema { text(about, 3...3, .storefront) }

    /// All storefronts, for the one schema that storefronts refer to.
    static let storefronts = choice(
        "The three-letter code of a storefront.", Storefront.all.map(\.code).sorted())

    static func bundleID(_ about: String) -> Schema { text(about, 1...155, .bundleID) }

    static func choice(_ about: String, _ values: [String]) -> Schema {
        Schema(kind: .choice(values), about: about)
    }

    static func integer(
        _ about: String, _ range: ClosedRange<Int64> = 0...Int64.max
    ) -> Schema {
        Schema(kind: .integer(range), about: about)
    }

    static func numbers(_ about: String, _ values: [Int64]) -> Schema {
        Schema(kind: .numbers(values), about: about)
    }

    static func boolean(_ about: String) -> Schema { Schema(kind: .boolean, about: about) }

    static func affirmation(_ about: String) -> Schema { Schema(kind: .affirmation, about: about) }

    static func list(_ about: String, of element: Schema, atLeast count: Int = 0) -> Schema {
        Schema(kind: .list(element, atLeast: count), about: about)
    }

    static func object(_ about: String, _ members: Member...) -> Schema {
        object(about, members)
    }

    static func object(_ about: String, _ members: [Member]) -> Schema {
        Schema(kind: .object(Members(all: members)), about: about)
    }

    /// An object of which at least one member must be given, or exactly one.
    ///
    /// - Parameter code: what other numbers are refused with.
    static func object(
        _ about: String, of count: ClosedRange<Int>, or code: String, _ members: Member...
    ) -> Schema {
        Schema(
            kind: .object(Members(all: members, count: Count(range: count, code: code))),
            about: about)
    }

    /// An object as the App Store Server API takes it.
    static func openObject(_ about: String, _ members: Member...) -> Schema {
        Schema(kind: .object(Members(all: members, isOpen: true)), about: about)
    }

    static func named(_ name: String) -> Schema { Schema(kind: .named(name), about: "") }

    static func anything(_ about: String) -> Schema { Schema(kind: .anything, about: about) }

    /// A text that only machines read: a compact JWS signed by the store.
    static func signed(_ about: String) -> Schema {
        text("\(about), as a compact JWS signed by the store.")
    }

    /// What one of something costs.
    static func price(_ about: String) -> Schema { money(about, 0...1_000_000_000_000) }

    /// An amount of one purchase, which may be of ten.
    static func total(_ about: String) -> Schema { money(about, 0...10_000_000_000_000) }

    private static func money(_ about: String, _ range: ClosedRange<Int64>) -> Schema {
        integer("\(about), in milliunits of the currency: 1990 is 1.99.", range)
    }

    static func currency() -> Schema { text("The ISO 4217 code of the currency.", 3...3) }
}

extension Schema.Member {
    /// A member that is always there.
    static func required(
        _ name: String, _ schema: Schema, or error: APIError? = nil
    ) -> Schema.Member {
        Schema.Member(name: name, schema: schema, isRequired: true, error: error)
    }

    /// A member that may be absent; on our own surfaces it is never null.
    static func optional(
        _ name: String, _ schema: Schema, or error: APIError? = nil,
        empty emptyError: APIError? = nil
    ) -> Schema.Member {
        Schema.Member(
            name: name, schema: schema, isRequired: false, error: error, emptyError: emptyError)
    }
}
