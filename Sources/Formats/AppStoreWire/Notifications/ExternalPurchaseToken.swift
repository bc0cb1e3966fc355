/// A token for external purchases (JWS-5).
public struct ExternalPurchaseToken: WireEncodable, Decodable, Hashable, Sendable {
    /// The token's id; sandbox ids begin with `SANDBOX`.
    public var externalPurchaseId: String
    /// When it was made, in milliseconds.
    public var tokenCreationDate: Int64
    /// The app's Apple id.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// Custom link tokens only.
    public var tokenType: ExternalPurchaseTokenType?
    /// When it ends, in milliseconds; custom link tokens only.
    public var tokenExpirationDate: Int64?

    /// Makes a token; what is not given stays absent.
    public init(
        externalPurchaseId: String, tokenCreationDate: Int64, appAppleId: Int64? = nil,
        bundleId: String, tokenType: ExternalPurchaseTokenType? = nil,
        tokenExpirationDate: Int64? = nil
    ) {
        self.externalPurchaseId = externalPurchaseId
        self.tokenCreationDate = tokenCreationDate
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.tokenType = tokenType
        self.tokenExpirationDate = tokenExpirationDate
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("externalPurchaseId", externalPurchaseId)
            json.field("tokenCreationDate", tokenCreationDate)
            json.field("appAppleId", appAppleId)
            json.field("bundleId", bundleId)
            json.field("tokenType", tokenType)
            json.field("tokenExpirationDate", tokenExpirationDate)
        }
    }
}
