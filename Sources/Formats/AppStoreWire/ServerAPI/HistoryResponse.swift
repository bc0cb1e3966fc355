/// Reply of Get Transaction History, v2 and v1 (API-5.2).
public struct HistoryResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// Where the next page begins; in every reply, also the last.
    public var revision: String
    /// Whether there is a next page.
    public var hasMore: Bool
    /// The app.
    public var bundleId: String
    /// The app's Apple id; normally absent in sandbox.
    public var appAppleId: Int64?
    /// The environment asked.
    public var environment: Environment
    /// At most 20 signed transactions.
    public var signedTransactions: [String]

    /// Makes a reply; what is not given stays absent.
    public init(
        revision: String, hasMore: Bool, bundleId: String, appAppleId: Int64? = nil,
        environment: Environment, signedTransactions: [String]
    ) {
        self.revision = revision
        self.hasMore = hasMore
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.signedTransactions = signedTransactions
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("revision", revision)
            json.field("hasMore", hasMore)
            json.field("bundleId", bundleId)
            json.field("appAppleId", appAppleId)
            json.field("environment", environment)
            json.field("signedTransactions", signedTransactions)
        }
    }
}
