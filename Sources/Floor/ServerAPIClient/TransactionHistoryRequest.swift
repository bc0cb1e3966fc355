public import AppStoreWire

/// Which transactions of a customer a history gives (API-5.2): each value narrows it, and an empty
/// request gives all of them.
public struct TransactionHistoryRequest: Sendable, Hashable {
    /// The order of the records' last change, not of the purchases.
    public enum Order: String, Sendable, Hashable {
        /// The oldest change first: the order in which a kept revision finds what has changed.
        case ascending = "ASCENDING"
        /// The newest change first.
        case descending = "DESCENDING"
    }

    /// The `revision` of an earlier page with the same filters: only what comes after it.
    public var revision: String?
    /// The first purchase date, in milliseconds.
    public var startDate: Int64?
    /// The first purchase date that is out, in milliseconds.
    public var endDate: Int64?
    /// Only these products; empty for all.
    public var productIDs: [String] = []
    /// Only these types; empty for all.
    public var productTypes: [ProductTypeFilter] = []
    /// Only these subscription groups; empty for all.
    public var subscriptionGroupIdentifiers: [String] = []
    /// Only purchases of one's own, or only shared ones.
    public var inAppOwnershipType: InAppOwnershipType?
    /// True for revoked ones only, false for the others only.
    public var revoked: Bool?
    /// Absent is ascending.
    public var sort: Order?

    /// Everything, from the first page on.
    public init() {}

    /// The same, from a place on.
    func from(_ revision: String?) -> TransactionHistoryRequest {
        var request = self
        request.revision = revision ?? self.revision
        return request
    }
}

extension TransactionHistoryRequest: QueryItems {
    var items: [QueryItem] {
        let single: [QueryItem?] = [
            QueryItem("revision", revision),
            QueryItem("startDate", startDate.map { String($0) }),
            QueryItem("endDate", endDate.map { String($0) }),
            QueryItem("inAppOwnershipType", inAppOwnershipType?.rawValue),
            QueryItem("revoked", revoked.map { String($0) }),
            QueryItem("sort", sort?.rawValue),
        ]
        let products: [QueryItem?] = productIDs.map { QueryItem("productId", $0) }
        let types: [QueryItem?] = productTypes.map { QueryItem("productType", $0.rawValue) }
        let groups: [QueryItem?] = subscriptionGroupIdentifiers.map {
            QueryItem("subscriptionGroupIdentifier", $0)
        }
        return (single + products + types + groups).compactMap { $0 }
    }
}

/// Where a page begins; nil at the beginning.
struct PagePlace: QueryItems {
    /// `revision` or `paginationToken`.
    let name: String
    let token: String?

    var items: [QueryItem] { [QueryItem(name, token)].compactMap { $0 } }
}

/// Which subscriptions are asked for, by their state.
struct StatusFilter: QueryItems {
    let statuses: [Status]

    var items: [QueryItem] { statuses.compactMap { QueryItem("status", "\($0.rawValue)") } }
}
