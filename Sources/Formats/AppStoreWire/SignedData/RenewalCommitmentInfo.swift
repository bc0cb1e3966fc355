/// What happens after a commitment ends (JWS-4, since version 1.21).
public struct RenewalCommitmentInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// The product after the commitment.
    public var commitmentAutoRenewProductId: String
    /// Whether it renews after the commitment.
    public var commitmentAutoRenewStatus: AutoRenewStatus
    /// How it is billed after the commitment.
    public var commitmentRenewalBillingPlanType: BillingPlanType
    /// When the commitment is renewed, in milliseconds.
    public var commitmentRenewalDate: Int64
    /// The price of the next commitment in milliunits.
    public var commitmentRenewalPrice: Int64

    /// Makes what follows a commitment.
    public init(
        commitmentAutoRenewProductId: String, commitmentAutoRenewStatus: AutoRenewStatus,
        commitmentRenewalBillingPlanType: BillingPlanType, commitmentRenewalDate: Int64,
        commitmentRenewalPrice: Int64
    ) {
        self.commitmentAutoRenewProductId = commitmentAutoRenewProductId
        self.commitmentAutoRenewStatus = commitmentAutoRenewStatus
        self.commitmentRenewalBillingPlanType = commitmentRenewalBillingPlanType
        self.commitmentRenewalDate = commitmentRenewalDate
        self.commitmentRenewalPrice = commitmentRenewalPrice
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("commitmentAutoRenewProductId", commitmentAutoRenewProductId)
            json.field("commitmentAutoRenewStatus", commitmentAutoRenewStatus)
            json.field("commitmentRenewalBillingPlanType", commitmentRenewalBillingPlanType)
            json.field("commitmentRenewalDate", commitmentRenewalDate)
            json.field("commitmentRenewalPrice", commitmentRenewalPrice)
        }
    }
}
