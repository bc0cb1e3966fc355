import AppStoreWire
import Store
import SubscriptionRules

extension HistoryFilter {
    /// Reads the filters of Get Transaction History; keys that it does not know are ignored, as
    /// servers add some without a version change (app-store-server-api.md sections 3 and 5.2).
    init(_ query: QueryString) throws(APIError) {
        self.init()
        start = try query.instant("startDate", or: .invalidStartDate)
        end = try query.instant("endDate", or: .invalidEndDate)
        // Apple publishes no code for swapped dates here: it is the end that comes too early.
        if let start, let end, start >= end { throw .invalidEndDate }
        productIDs = try query.texts("productId", or: .invalidProductId)
        types = try query.productTypes()
        groupIDs = try query.texts(
            "subscriptionGroupIdentifier", or: .invalidSubscriptionGroupIdentifier)
        try readOwnership(query)
        try readRevoked(query)
        switch try query.value("sort", or: APIError.invalidSort) {
        case nil, "ASCENDING"?: isDescending = false
        case "DESCENDING"?: isDescending = true
        default: throw .invalidSort
        }
    }

    private mutating func readOwnership(_ query: QueryString) throws(APIError) {
        let text = try query.value("inAppOwnershipType", or: APIError.invalidInAppOwnershipType)
        guard let text else { return }
        switch InAppOwnershipType(rawValue: text) {
        case .purchased: ownership = .purchased
        case .familyShared: ownership = .familyShared
        case .assigned: ownership = .assigned
        default: throw .invalidInAppOwnershipType
        }
    }

    /// `revoked`, and the older `excludeRevoked`, of which only true says anything.
    private mutating func readRevoked(_ query: QueryString) throws(APIError) {
        revoked = try query.bool("revoked", or: .invalidRevoked)
        guard try query.bool("excludeRevoked", or: .invalidExcludeRevoked) == true else { return }
        // Only revoked ones without the revoked ones: a mistake, not a question.
        guard revoked != true else { throw .invalidRevoked }
        revoked = false
    }
}

extension QueryString {
    /// A moment in milliseconds since 1970.
    fileprivate func instant(
        _ name: String, or error: APIError
    ) throws(APIError) -> Instant? {
        guard let text = try value(name, or: error) else { return nil }
        guard let milliseconds = Int64(identifier: text) else { throw error }
        return Instant(milliseconds: milliseconds)
    }

    /// Apple's Python client sends `True` and `False` (client-conformance.md section 1).
    fileprivate func bool(_ name: String, or error: APIError) throws(APIError) -> Bool? {
        switch try value(name, or: error)?.lowercased() {
        case nil: return nil
        case "true"?: return true
        case "false"?: return false
        default: throw error
        }
    }

    /// Texts of any number, of which one must fit. One that names nothing is no mistake: it finds
    /// nothing.
    fileprivate func texts(_ name: String, or error: APIError) throws(APIError) -> [String] {
        let texts = values(name)
        guard texts.count <= 100, texts.allSatisfy(\.isPlainName) else { throw error }
        return texts
    }

    fileprivate func productTypes() throws(APIError) -> [ProductType] {
        var types: [ProductType] = []
        for text in Set(values("productType")).sorted() {
            switch ProductTypeFilter(rawValue: text) {
            case .autoRenewable: types.append(.autoRenewableSubscription)
            case .nonRenewable: types.append(.nonRenewingSubscription)
            case .consumable: types.append(.consumable)
            case .nonConsumable: types.append(.nonConsumable)
            default: throw .invalidProductType
            }
        }
        return types
    }
}

extension String {
    /// Whether it can be an identifier at all: 1 to 1024 bytes without control characters.
    var isPlainName: Bool {
        (1...1024).contains(utf8.count) && unicodeScalars.allSatisfy { !$0.isControl }
    }
}
