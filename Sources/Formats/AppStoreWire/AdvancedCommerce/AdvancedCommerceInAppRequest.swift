/// What a developer's server signs for the purchase call of an app in Advanced Commerce.
public enum AdvancedCommerceInAppRequest: WireEncodable, Hashable, Sendable {
    case createOneTimeCharge(AdvancedCommerceOneTimeChargeCreateRequest)
    case createSubscription(AdvancedCommerceSubscriptionCreateRequest)
    case modifySubscription(AdvancedCommerceSubscriptionModifyInAppRequest)
    case reactivateSubscription(AdvancedCommerceSubscriptionReactivateInAppRequest)

    /// Reads and checks a request, whichever `operation` it names.
    public init(_ json: JSONValue) throws(APIError) {
        let object = try RequestObject(json)
        switch try object.text("operation") {
        case AdvancedCommerceOneTimeChargeCreateRequest.operation:
            self = .createOneTimeCharge(try .init(reading: object))
        case AdvancedCommerceSubscriptionCreateRequest.operation:
            self = .createSubscription(try .init(reading: object))
        case AdvancedCommerceSubscriptionModifyInAppRequest.operation:
            self = .modifySubscription(try .init(reading: object))
        case AdvancedCommerceSubscriptionReactivateInAppRequest.operation:
            self = .reactivateSubscription(try .init(reading: object))
        default: throw Refusal.invalidOperation
        }
    }

    /// What the request says of itself.
    public var requestInfo: AdvancedCommerceRequestInfo {
        switch self {
        case .createOneTimeCharge(let request): request.requestInfo
        case .createSubscription(let request): request.requestInfo
        case .modifySubscription(let request): request.requestInfo
        case .reactivateSubscription(let request): request.requestInfo
        }
    }

    /// The operation's name on the wire.
    public var operation: String {
        switch self {
        case .createOneTimeCharge: AdvancedCommerceOneTimeChargeCreateRequest.operation
        case .createSubscription: AdvancedCommerceSubscriptionCreateRequest.operation
        case .modifySubscription: AdvancedCommerceSubscriptionModifyInAppRequest.operation
        case .reactivateSubscription: AdvancedCommerceSubscriptionReactivateInAppRequest.operation
        }
    }

    /// Writes the request itself.
    public func encode(to json: inout JSONWriter) {
        switch self {
        case .createOneTimeCharge(let request): request.encode(to: &json)
        case .createSubscription(let request): request.encode(to: &json)
        case .modifySubscription(let request): request.encode(to: &json)
        case .reactivateSubscription(let request): request.encode(to: &json)
        }
    }
}
