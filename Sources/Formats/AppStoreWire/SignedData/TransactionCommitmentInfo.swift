/// Monthly billing with a commitment of twelve months (JWS-3, since version 1.21).
public struct TransactionCommitmentInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// Which instalment this is, from 1.
    public var billingPeriodNumber: Int
    /// The end of the commitment, in milliseconds.
    public var commitmentExpiresDate: Int64
    /// The price of the whole commitment in milliunits.
    public var commitmentPrice: Int64
    /// The number of instalments.
    public var totalBillingPeriods: Int

    /// Makes the commitment of a transaction.
    public init(
        billingPeriodNumber: Int, commitmentExpiresDate: Int64, commitmentPrice: Int64,
        totalBillingPeriods: Int
    ) {
        self.billingPeriodNumber = billingPeriodNumber
        self.commitmentExpiresDate = commitmentExpiresDate
        self.commitmentPrice = commitmentPrice
        self.totalBillingPeriods = totalBillingPeriods
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("billingPeriodNumber", billingPeriodNumber)
            json.field("commitmentExpiresDate", commitmentExpiresDate)
            json.field("commitmentPrice", commitmentPrice)
            json.field("totalBillingPeriods", totalBillingPeriods)
        }
    }
}
