public import AppStoreWire
public import SubscriptionRules

/// What becomes of a subscription and its items as `/connect` tells it.
extension Alteration {
    /// The members on `/connect`, in their order.
    public enum Member: String, Sendable, Hashable, CaseIterable {
        case change, sku
        case formerSKU = "formerSku"
        case displayName, price, formerPrice, amount, from, status, path, announcement
        case dependentSKUs = "dependentSkus"
        case offerMode, value
    }

    /// Reads what `/connect` tells; nil for a change that only a later version knows.
    public init?(_ json: JSONValue) {
        func text(_ member: Member) -> String? { json[member.rawValue]?.string }
        func integer(_ member: Member) -> Int64? { json[member.rawValue]?.integer }
        func moment(_ member: Member) -> Instant? { text(member).flatMap { Instant(iso8601: $0) } }
        guard let kind = text(.change).flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(kind, of: text(.sku), from: moment(.from))
        formerSKU = text(.formerSKU)
        displayName = text(.displayName)
        (price, formerPrice) = (integer(.price), integer(.formerPrice))
        amount = integer(.amount)
        status = text(.status).flatMap(Status.init(rawValue:))
        path = text(.path).flatMap(ConsentDecision.Path.init(rawValue:))
        announcement = moment(.announcement)
        dependents = (json[Member.dependentSKUs.rawValue]?.array ?? []).compactMap(\.string)
        offerMode = text(.offerMode).flatMap(Offer.Mode.init(rawValue:))
        value = text(.value)
    }

    private func write(_ member: Member, to json: inout JSONWriter) {
        let name = member.rawValue
        switch member {
        case .change: json.field(named: name, kind.rawValue)
        case .sku: json.field(named: name, sku)
        case .formerSKU: json.field(named: name, formerSKU)
        case .displayName: json.field(named: name, displayName)
        case .price: json.field(named: name, price)
        case .formerPrice: json.field(named: name, formerPrice)
        case .amount: json.field(named: name, amount)
        case .from: json.field(named: name, from?.iso8601)
        case .status: json.field(named: name, status?.rawValue)
        case .path: json.field(named: name, path?.rawValue)
        case .announcement: json.field(named: name, announcement?.iso8601)
        case .dependentSKUs: json.field(named: name, dependents.isEmpty ? nil : dependents)
        case .offerMode: json.field(named: name, offerMode?.rawValue)
        case .value: json.field(named: name, value)
        }
    }
}

extension Alteration: WireEncodable {
    /// Writes it as `/connect` tells it.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            for member in Member.allCases { write(member, to: &json) }
        }
    }
}
