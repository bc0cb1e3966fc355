/// Reply of Get Status of Renewal Date Extensions (API-5.14).
public struct MassExtendRenewalDateStatusResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The UUID of the request.
    public var requestIdentifier: String
    /// Whether it has finished.
    public var complete: Bool
    /// When it finished, in milliseconds.
    public var completeDate: Int64?
    /// How many were extended; when complete.
    public var succeededCount: Int64?
    /// How many were not; when complete.
    public var failedCount: Int64?

    /// Makes a reply; what is not given stays absent.
    public init(
        requestIdentifier: String, complete: Bool, completeDate: Int64? = nil,
        succeededCount: Int64? = nil, failedCount: Int64? = nil
    ) {
        self.requestIdentifier = requestIdentifier
        self.complete = complete
        self.completeDate = completeDate
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestIdentifier", requestIdentifier)
            json.field("complete", complete)
            json.field("completeDate", completeDate)
            json.field("succeededCount", succeededCount)
            json.field("failedCount", failedCount)
        }
    }
}
