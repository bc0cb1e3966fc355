/// Files of campaigns (YAML) for the app of `World`.
public enum SampleCampaigns {
    /// A new price in the USA for a monthly product.
    ///
    /// - Parameter account: an account that the campaign leaves out.
    public static func spring(
        of product: String = "silver.monthly", at price: String = "11.99",
        from day: String = "2026-03-01", without account: String? = nil
    ) -> String {
        let file = """
            campaign: spring
            app: \(World.bundleID)
            kind: price
            route: appStoreConnect
            from: \(day)
            prices:
            - product: \(product)
              period: P1M
              to: {USA: "\(price)"}
            """
        return account.map { "\(file)\nexcept: {accounts: [\($0)]}" } ?? file
    }

    /// An outage of three days, for the accounts that `who.txt` names.
    public static let closed = """
        campaign: closed
        app: \(World.bundleID)
        kind: outage
        outage: {from: 2025-12-30, to: 2026-01-02}
        products: [silver.monthly]
        days: perBegunDay
        accounts: who.txt
        """
}
