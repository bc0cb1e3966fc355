/// Reply of Extend for All Active Subscribers (API-5.13).
public struct MassExtendRenewalDateResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The UUID of the request.
    public var requestIdentifier: String

    /// Makes a reply.
    public init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestIdentifier", requestIdentifier)
        }
    }
}
