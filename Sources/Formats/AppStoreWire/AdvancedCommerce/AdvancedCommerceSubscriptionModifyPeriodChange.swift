/// Another length of a subscription's periods.
public struct AdvancedCommerceSubscriptionModifyPeriodChange: WireEncodable, Hashable, Sendable {
    /// When it changes.
    public var effective: AdvancedCommerceEffective
    /// How long a period is then.
    public var period: AdvancedCommercePeriod

    /// Makes the value.
    public init(effective: AdvancedCommerceEffective, period: AdvancedCommercePeriod) {
        self.effective = effective
        self.period = period
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(effective: object.effective(), period: object.period())
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("effective", effective)
            json.field("period", period)
        }
    }
}
