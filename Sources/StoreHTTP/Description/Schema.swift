/// The shape of a JSON value: what `/openapi.json` says of it, and what requests are held
/// against before a handler sees them. One declaration for both, so that they cannot differ.
struct Schema: Sendable {
    /// What a value can be.
    indirect enum Kind: Sendable {
        /// A text of so many characters, without control characters.
        case text(ClosedRange<Int>, Format)
        /// One of these texts.
        case choice([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int64>)
        /// One of these whole numbers.
        case numbers([Int64])
        case boolean
        case list(Schema)
        /// An object with these members and no others.
        case object([Member])
        /// A shape that has a name of its own in `/openapi.json`.
        case named(String)
        /// Any value; for members that are refused for a reason of their own.
        case anything
    }

    /// What a text is to mean.
    enum Format: Sendable {
        case plain
        /// A UUID in any letter case.
        case uuid
        /// A moment as ISO 8601 text.
        case moment
        /// A length of time as ISO 8601 text, such as `P1M`.
        case duration
        /// The three-letter code of a storefront.
        case storefront
        /// A reverse domain name.
        case bundleID
        /// An http or https URL; empty for none, where the length allows it.
        case url
        /// Visible ASCII characters.
        case visible
        /// A language, and perhaps a region: `en`, `de_AT`, `pt-BR`.
        case locale
        /// The digits of an identifier.
        case identifier
    }

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool
    }

    let kind: Kind
    /// What the value is, with its unit.
    let about: String
}

extension Schema {
    static func text(
        _ about: String, _ length: ClosedRange<Int> = 0...65_536, _ format: Format = .plain
    ) -> Schema {
        Schema(kind: .text(length, format), about: about)
    }

    static func uuid(_ about: String) -> Schema { text(about, 36...36, .uuid) }

    static func moment(_ about: String) -> Schema { text(about, 10...32, .moment) }

    static func identifier(_ about: String) -> Schema { text(about, 1...19, .identifier) }

    static func storefront(_ about: String) -> Schema { text(about, 3...3, .storefront) }

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

    static func list(_ about: String, of element: Schema) -> Schema {
        Schema(kind: .list(element), about: about)
    }

    static func object(_ about: String, _ members: Member...) -> Schema {
        Schema(kind: .object(members), about: about)
    }

    static func object(_ about: String, _ members: [Member]) -> Schema {
        Schema(kind: .object(members), about: about)
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
    static func required(_ name: String, _ schema: Schema) -> Schema.Member {
        Schema.Member(name: name, schema: schema, isRequired: true)
    }

    /// A member that may be absent; it is never null.
    static func optional(_ name: String, _ schema: Schema) -> Schema.Member {
        Schema.Member(name: name, schema: schema, isRequired: false)
    }
}
