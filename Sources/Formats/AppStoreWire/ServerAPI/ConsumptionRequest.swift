/// Body of Send Consumption Information v2 (API-5.7).
public struct ConsumptionRequest: WireEncodable, Decodable, Hashable, Sendable {
    /// Whether the customer agrees that this is sent; the server takes `true` only.
    public var customerConsented: Bool
    /// Whether the purchase was delivered.
    public var deliveryStatus: DeliveryStatus
    /// Whether the customer could try the content before the purchase.
    public var sampleContentProvided: Bool
    /// How much was used, in thousandths of a per cent, 0 to 100,000; absent for auto-renewable
    /// subscriptions, 0 or absent for what was not delivered.
    public var consumptionPercentage: Int?
    /// What the developer would like.
    public var refundPreference: RefundPreference?

    /// Makes a body; what is not given stays absent.
    public init(
        customerConsented: Bool, deliveryStatus: DeliveryStatus, sampleContentProvided: Bool,
        consumptionPercentage: Int? = nil, refundPreference: RefundPreference? = nil
    ) {
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("customerConsented", customerConsented)
            json.field("deliveryStatus", deliveryStatus)
            json.field("sampleContentProvided", sampleContentProvided)
            json.field("consumptionPercentage", consumptionPercentage)
            json.field("refundPreference", refundPreference)
        }
    }
}
