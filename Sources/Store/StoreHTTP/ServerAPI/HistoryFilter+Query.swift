import AppStoreWire
import HTTPSurface
import Store
import SubscriptionRules

extension HistoryFilter {
    /// What a history can be asked for (API-5.2). Texts of products
    /// and groups that name nothing are no mistake: they find nothing.
    static let parameters: [OperationDescription.Parameter] = [
        .query(
            "startDate", .integer("The first purchase date, in milliseconds since 1970."),
            or: .invalidStartDate),
        .query(
            "endDate", .integer("The first purchase date that is out; later than the first."),
            or: .invalidEndDate),
        .query(
            "productId", .list("Only of these.", of: .text("A product.", 1...1024)),
            or: .invalidProductId),
        .query(
            "productType",
            .list(
                "Only of these types.",
                of: .choice("A type.", ProductTypeFilter.known.map(\.rawValue))),
            or: .invalidProductType),
        .query(
            "subscriptionGroupIdentifier",
            .list("Only of these groups.", of: .text("A subscription group.", 1...1024)),
            or: .invalidSubscriptionGroupIdentifier),
        .query(
            "inAppOwnershipType",
            .choice("Only those.", InAppOwnershipType.known.map(\.rawValue)),
            or: .invalidInAppOwnershipType),
        .query(
            "revoked", .boolean("Only those that are revoked, or are not."), or: .invalidRevoked),
        .query(
            "excludeRevoked",
            .boolean("True is as `revoked` false, and does not go with `revoked` true."),
            or: .invalidExcludeRevoked),
        .query(
            "sort", .choice("By their last change; ASCENDING unless given.", orders),
            or: .invalidSort),
    ]

    private static let orders = ["ASCENDING", "DESCENDING"]

    /// Reads the filters of Get Transaction History.
    init(_ input: APIInput) throws(APIError) {
        self.init()
        start = input.parameterInteger("startDate").map(Instant.init(milliseconds:))
        end = input.parameterInteger("endDate").map(Instant.init(milliseconds:))
        // Apple publishes no code for swapped dates here: it is the end that comes too early.
        if let start, let end, start >= end { throw .invalidEndDate }
        productIDs = input.parameterTexts("productId")
        types = Set(input.parameterTexts("productType")).sorted().compactMap(
            ProductType.init(filter:))
        groupIDs = input.parameterTexts("subscriptionGroupIdentifier")
        ownership = input.parameterText("inAppOwnershipType").flatMap {
            switch InAppOwnershipType(rawValue: $0) {
            case .purchased: .purchased
            case .familyShared: .familyShared
            case .assigned: .assigned
            default: nil
            }
        }
        isDescending = input.parameterText("sort") == "DESCENDING"
        try readRevoked(input)
    }

    /// `revoked`, and the older `excludeRevoked`, of which only true says anything.
    private mutating func readRevoked(_ input: APIInput) throws(APIError) {
        revoked = input.parameterBoolean("revoked")
        guard input.parameterBoolean("excludeRevoked") == true else { return }
        // Only revoked ones without the revoked ones: a mistake, not a question.
        guard revoked != true else { throw .invalidRevoked }
        revoked = false
    }
}

extension ProductType {
    /// The type that a filter names.
    fileprivate init?(filter text: String) {
        switch ProductTypeFilter(rawValue: text) {
        case .autoRenewable: self = .autoRenewableSubscription
        case .nonRenewable: self = .nonRenewingSubscription
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        default: return nil
        }
    }
}
