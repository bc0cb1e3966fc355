/// What every Advanced Commerce request says of itself.
public struct AdvancedCommerceRequestInfo: WireEncodable, Hashable, Sendable {
    /// A UUID in lower case; the same one only for repeating a request that got no answer (ACP-9).
    public var requestReferenceId: String
    /// A UUID in lower case; empty for none.
    public var appAccountToken: String?
    /// The one of the last renewal information: a change that somebody else made since is noticed.
    public var consistencyToken: String?

    /// Makes the data; UUIDs become lower case.
    public init(
        requestReferenceId: String, appAccountToken: String? = nil, consistencyToken: String? = nil
    ) {
        self.requestReferenceId = requestReferenceId.lowercased()
        self.appAccountToken = appAccountToken?.lowercased()
        self.consistencyToken = consistencyToken
    }

    init(reading object: RequestObject) throws(APIError) {
        let reference = try object.text(
            "requestReferenceId", or: Refusal.nullRequestReferenceId)
        guard let reference = reference.lowercasedUUID else {
            throw object.refusal(Refusal.invalidRequestReferenceId)
        }
        let account = try object.text("appAccountToken")
        let isAccount = account.map { $0.isEmpty || $0.lowercasedUUID != nil } ?? true
        try object.require(isAccount, or: Refusal.invalidAppAccountToken)
        let token = try object.text("consistencyToken")
        try object.require(
            token.map(Self.isConsistencyToken) ?? true, or: Refusal.invalidConsistencyToken)
        self.init(
            requestReferenceId: reference, appAccountToken: account, consistencyToken: token)
    }

    /// Whether a text has the form of a consistency token: a version, a transaction id and a UUID
    /// with dots between.
    public static func isConsistencyToken(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 3 && Int64(identifier: parts[0]) != nil
            && Int64(identifier: parts[1]) != nil && parts[2].lowercasedUUID != nil
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestReferenceId", requestReferenceId)
            json.field("appAccountToken", appAccountToken)
            json.field("consistencyToken", consistencyToken)
        }
    }
}
