/// The body that the store posts to the merchant (JWS-5).
public struct ResponseBodyV2: WireEncodable, Decodable, Hashable, Sendable {
    /// The signed ``ResponseBodyV2DecodedPayload``.
    public var signedPayload: String

    /// Makes a body.
    public init(signedPayload: String) {
        self.signedPayload = signedPayload
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("signedPayload", signedPayload)
        }
    }
}
