import Storage

extension Merchant {
    /// What has happened to an account, the newest first.
    ///
    /// - Parameter before: the number of an event before which they are; nil for the newest.
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func transfers(
        of account: String, in bundleID: String, before: Int64? = nil, limit: Int
    ) async throws -> [AccountTransfer] {
        let app = try app(bundleID)
        try AccountName.check(account)
        return try await database.read { session in
            guard let found = try AccountRow.find(account, of: app.id, session) else { return [] }
            return try AccountTransfer.all(
                of: found.id, before: before ?? .max, limit: limit, session)
        }
    }
}
