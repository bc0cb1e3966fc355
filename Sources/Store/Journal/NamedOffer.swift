public import AppStoreWire
public import SubscriptionRules

/// An offer by its kind and its identifier.
public struct NamedOffer: Sendable, Hashable {
    /// What kind of offer it is.
    public var kind: Offer.Kind
    /// Its identifier; empty for an introductory offer.
    public var id: String

    /// Names an offer.
    public init(kind: Offer.Kind, id: String) {
        self.kind = kind
        self.id = id
    }

    /// Names an offer that applies.
    public init(_ offer: AppliedOffer) { self.init(kind: offer.kind, id: offer.id) }
}

extension NamedOffer: WireEncodable {
    /// Reads what was written; nil for a kind that only a later version knows.
    public init?(_ json: JSONValue) {
        guard let kind = json["type"]?.string.flatMap({ Offer.Kind(name: $0) }) else { return nil }
        self.init(kind: kind, id: json["id"]?.string ?? "")
    }

    /// Writes it as the journal keeps it and `/connect` tells it.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", kind.name)
            json.field("id", id.isEmpty ? nil : id)
        }
    }
}

extension Offer.Kind {
    /// The names of all kinds.
    public static let names = allCases.map(\.name)

    /// The name on `/connect` and in the journal: none is ever renamed.
    public var name: String {
        switch self {
        case .introductory: "INTRODUCTORY"
        case .promotional: "PROMOTIONAL"
        case .offerCode: "OFFER_CODE"
        case .winBack: "WIN_BACK"
        }
    }

    /// The kind of a name; nil for another text.
    public init?(name: String) {
        guard let kind = Offer.Kind.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
