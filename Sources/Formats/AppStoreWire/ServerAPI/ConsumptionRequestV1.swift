/// Body of the deprecated Send Consumption Information v1 (API-5.8): Advanced Commerce
/// transactions still need it.
///
/// Two members are called as those of version 2 and are numbers here; 0 of `deliveryStatus` means
/// "delivered".
public struct ConsumptionRequestV1: WireEncodable, Decodable, Hashable, Sendable {
    /// Whether the customer agrees that this is sent; the server takes `true` only.
    public var customerConsented: Bool
    /// The developer's UUID for the customer; empty for none.
    public var appAccountToken: String
    /// How much was used.
    public var consumptionStatus: ConsumptionStatus
    /// Where it was used.
    public var platform: Platform
    /// Whether the customer could try the content before the purchase.
    public var sampleContentProvided: Bool
    /// Whether the purchase was delivered.
    public var deliveryStatus: DeliveryStatus
    /// The age of the customer's account.
    public var accountTenure: AccountTenure
    /// How long the customer has used the app.
    public var playTime: PlayTime
    /// What the customer has paid in the app, on all platforms.
    public var lifetimeDollarsPurchased: LifetimeDollars
    /// What the customer has got back in the app, on all platforms.
    public var lifetimeDollarsRefunded: LifetimeDollars
    /// The state of the customer's account.
    public var userStatus: UserStatus
    /// What the developer would like.
    public var refundPreference: RefundPreference?

    /// Makes a body of which only the consent is declared.
    public init(customerConsented: Bool, sampleContentProvided: Bool) {
        self.customerConsented = customerConsented
        self.sampleContentProvided = sampleContentProvided
        appAccountToken = ""
        consumptionStatus = .undeclared
        platform = .undeclared
        deliveryStatus = .delivered
        accountTenure = .undeclared
        playTime = .undeclared
        lifetimeDollarsPurchased = .undeclared
        lifetimeDollarsRefunded = .undeclared
        userStatus = .undeclared
        refundPreference = nil
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("customerConsented", customerConsented)
            json.field("appAccountToken", appAccountToken)
            json.field("consumptionStatus", consumptionStatus)
            json.field("platform", platform)
            json.field("sampleContentProvided", sampleContentProvided)
            json.field("deliveryStatus", deliveryStatus)
            json.field("accountTenure", accountTenure)
            json.field("playTime", playTime)
            json.field("lifetimeDollarsPurchased", lifetimeDollarsPurchased)
            json.field("lifetimeDollarsRefunded", lifetimeDollarsRefunded)
            json.field("userStatus", userStatus)
            json.field("refundPreference", refundPreference)
        }
    }
}
