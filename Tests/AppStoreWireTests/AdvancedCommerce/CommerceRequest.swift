import AppStoreWire
import Testing

/// The ten requests of Advanced Commerce, each with how it is read.
enum CommerceRequest: String, CaseIterable, Sendable {
    case oneTimeCharge, create, modify, reactivate
    case cancel, changeMetadata, changePrice, migrate, revoke, requestRefund

    /// The endpoint that takes it; nil for what apps send.
    var endpoint: AdvancedCommerceEndpoint? { AdvancedCommerceEndpoint(rawValue: rawValue) }

    /// Reads a request, and gives its text back.
    func read(_ json: JSONValue) throws -> String {
        switch self {
        case .oneTimeCharge, .create, .modify, .reactivate:
            try roundTrip(json, AdvancedCommerceInAppRequest.init)
        case .cancel: try roundTrip(json, AdvancedCommerceSubscriptionCancelRequest.init)
        case .changeMetadata:
            try roundTrip(json, AdvancedCommerceSubscriptionChangeMetadataRequest.init)
        case .changePrice: try roundTrip(json, AdvancedCommerceSubscriptionPriceChangeRequest.init)
        case .migrate: try roundTrip(json, AdvancedCommerceSubscriptionMigrateRequest.init)
        case .revoke: try roundTrip(json, AdvancedCommerceSubscriptionRevokeRequest.init)
        case .requestRefund: try roundTrip(json, AdvancedCommerceRequestRefundRequest.init)
        }
    }

    /// What is written of a request reads as the same request.
    private func roundTrip<Request: WireEncodable & Equatable>(
        _ json: JSONValue, _ read: (JSONValue) throws(APIError) -> Request
    ) throws -> String {
        let request = try read(json)
        #expect(try read(JSONValue(parsing: request.jsonBytes())) == request)
        return request.jsonText()
    }

    /// The smallest request that is accepted.
    var smallest: String {
        switch self {
        case .oneTimeCharge:
            Self.header("CREATE_ONE_TIME_CHARGE") + Self.info
                + #","currency":"USD","taxCode":"C003-00-2","item":\#(Self.item("seeds"))}"#
        case .create:
            Self.header("CREATE_SUBSCRIPTION") + Self.info
                + #","currency":"USD","taxCode":"C003-00-1","descriptors":{"displayName":"Pass","#
                + #""description":"A pass"},"period":"P1M","items":[\#(Self.item("beds"))]}"#
        case .modify:
            Self.header("MODIFY_SUBSCRIPTION") + #""transactionId":"12345",\#(Self.info),"#
                + #""retainBillingCycle":true,"addItems":[\#(Self.item("trees"))]}"#
        case .reactivate:
            Self.header("REACTIVATE_SUBSCRIPTION") + #""transactionId":"12345",\#(Self.info)}"#
        case .cancel: "{\(Self.info)}"
        case .changeMetadata: #"{\#(Self.info),"taxCode":"C003-00-1"}"#
        case .changePrice: #"{\#(Self.info),"items":[{"SKU":"beds","price":12990}]}"#
        case .migrate:
            #"{\#(Self.info),"descriptors":{"displayName":"Pass","description":"A pass"},"#
                + #""items":[{"SKU":"beds","displayName":"Beds","description":"All beds"}],"#
                + #""targetProductId":"generic","taxCode":"C003-00-1"}"#
        case .revoke:
            #"{\#(Self.info),"refundReason":"LEGAL","refundType":"FULL","#
                + #""refundRiskingPreference":false}"#
        case .requestRefund:
            #"{\#(Self.info),"items":[{"SKU":"beds","refundReason":"OTHER","refundType":"FULL","#
                + #""revoke":true}],"refundRiskingPreference":true}"#
        }
    }

    private static let info =
        #""requestInfo":{"requestReferenceId":"7c80bb86-f892-4b21-a919-1357811d6c4f"}"#

    private static func header(_ operation: String) -> String {
        #"{"operation":"\#(operation)","version":"1","#
    }

    private static func item(_ sku: String) -> String {
        #"{"SKU":"\#(sku)","displayName":"The \#(sku)","description":"All \#(sku)","price":7990}"#
    }
}

/// A change of a request, by its path: `items.0.price`.
struct Edit: Sendable, ExpressibleByStringLiteral {
    let path: [String]
    /// What is written there, as JSON; nil takes the member away.
    let json: String?

    init(_ path: String, _ json: String?) {
        self.path = path.split(separator: ".").map(String.init)
        self.json = json
    }

    /// `items.0.price=-1`, and without a sign what is taken away.
    init(stringLiteral text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        self.init(parts[0], parts.count == 2 ? parts[1] : nil)
    }

    func applied(to value: JSONValue) throws -> JSONValue { try applied(to: value, path[...]) }

    private func applied(to value: JSONValue, _ path: ArraySlice<String>) throws -> JSONValue {
        guard let name = path.first else {
            return try JSONValue(parsing: Array(try #require(json).utf8))
        }
        if case .array(var elements) = value {
            let place = try #require(Int(name))
            if path.count == 1, json == nil {
                elements.remove(at: place)
                return .array(elements)
            }
            let old = place < elements.count ? elements[place] : .object([:])
            let new = try applied(to: old, path.dropFirst())
            if place < elements.count { elements[place] = new } else { elements.append(new) }
            return .array(elements)
        }
        var members = value.object ?? [:]
        if path.count == 1, json == nil {
            #expect(members[name] != nil, "\(name) is not there")
            members[name] = nil
        } else {
            members[name] = try applied(to: members[name] ?? .object([:]), path.dropFirst())
        }
        return .object(members)
    }
}

/// The smallest request with something changed, and what must come of it.
struct CommerceCase: Sendable, CustomTestStringConvertible {
    let code: Int64
    let request: CommerceRequest
    let edits: [Edit]

    init(_ code: Int64, _ request: CommerceRequest, _ edits: Edit...) {
        self.code = code
        self.request = request
        self.edits = edits
    }

    var testDescription: String {
        "\(code) \(request): "
            + edits.map { "\($0.path.joined(separator: ".")) \($0.json?.prefix(40) ?? "-")" }
            .joined(separator: ", ")
    }

    func json() throws -> JSONValue {
        var json = try JSONValue(parsing: Array(request.smallest.utf8))
        for edit in edits { json = try edit.applied(to: json) }
        return json
    }
}

/// A JSON string of so many characters.
func letters(_ count: Int, _ letter: Character = "x") -> String {
    "\"" + String(repeating: letter, count: count) + "\""
}

/// A JSON array of so many elements, made of their places.
func many(_ count: Int, _ element: (Int) -> String) -> String {
    "[" + (0..<count).map(element).joined(separator: ",") + "]"
}
