import AppStoreWire

/// One of the ten requests of Advanced Commerce.
enum RequestKind: Hashable, Sendable {
    case createOneTimeCharge, createSubscription, modifySubscription, reactivateSubscription
    case call(AdvancedCommerceEndpoint)

    /// The operation's name on the wire; nil for what a server sends.
    var operation: String? {
        switch self {
        case .createOneTimeCharge: AdvancedCommerceOneTimeChargeCreateRequest.operation
        case .createSubscription: AdvancedCommerceSubscriptionCreateRequest.operation
        case .modifySubscription: AdvancedCommerceSubscriptionModifyInAppRequest.operation
        case .reactivateSubscription: AdvancedCommerceSubscriptionReactivateInAppRequest.operation
        case .call: nil
        }
    }

    /// Reads a request as a store does.
    ///
    /// - Throws: Apple's error for the first fault.
    func read(_ json: JSONValue) throws(APIError) {
        switch self {
        case .createOneTimeCharge, .createSubscription, .modifySubscription,
            .reactivateSubscription:
            _ = try AdvancedCommerceInAppRequest(json)
        case .call(.cancel): _ = try AdvancedCommerceSubscriptionCancelRequest(json)
        case .call(.changeMetadata):
            _ = try AdvancedCommerceSubscriptionChangeMetadataRequest(json)
        case .call(.changePrice): _ = try AdvancedCommerceSubscriptionPriceChangeRequest(json)
        case .call(.migrate): _ = try AdvancedCommerceSubscriptionMigrateRequest(json)
        case .call(.revoke): _ = try AdvancedCommerceSubscriptionRevokeRequest(json)
        case .call(.requestRefund): _ = try AdvancedCommerceRequestRefundRequest(json)
        }
    }

    /// What is looked at when the parts of the request are held against one another.
    var together: String {
        switch self {
        case .createOneTimeCharge: "there is one item alone"
        case .createSubscription, .call(.migrate):
            "no SKU stands there twice, and no item is called as the whole"
        case .modifySubscription:
            "each SKU is in one change, and the times of the changes fit the billing cycle"
        case .reactivateSubscription: "no SKU stands there twice"
        case .call(.changeMetadata):
            "something changes, and no SKU or name stands there twice"
        case .call(.changePrice):
            "no SKU stands there twice, and no dependent is shared or has dependents"
        case .call(.requestRefund):
            "no SKU stands there twice; all refunds are to be declined on purpose, or none"
        case .call(.cancel), .call(.revoke): "there is nothing to hold against one another"
        }
    }

    /// What the subscription has to be for it; nil for what concerns none.
    var state: String? {
        switch self {
        case .createOneTimeCharge: nil
        case .createSubscription: "nothing that runs stands in its way"
        case .modifySubscription: "it is the customer's, runs, and has the items that change"
        case .reactivateSubscription: "it is the customer's, runs, and its renewal is off"
        case .call(.cancel): "it is the merchant's own plan and is not over"
        case .call(.changeMetadata): "it is the merchant's own plan, runs, and has the items"
        case .call(.changePrice):
            "it runs and renews, has the items, and no offer or announced increase is in the way"
        case .call(.migrate): "it is an ordinary one that runs and was not moved before"
        case .call(.revoke): "it is the merchant's own plan and runs"
        case .call(.requestRefund): "the transaction has the items"
        }
    }

    /// Whether money may go back by it.
    var isRefund: Bool { self == .call(.revoke) || self == .call(.requestRefund) }
}
