public import Storage

extension Store {
    /// Asks the database whether it is there, for a few seconds at most and behind nobody.
    ///
    /// - Throws: `StorageError` if it is not.
    public func checkDatabase() async throws { try await database.check() }

    /// How busy the database is, without asking it.
    public var databaseLoad: DatabaseLoad { database.load }

    /// What background work looks at every second.
    ///
    /// - Throws: `StorageError` with `newerSchema` once a later version has migrated the database,
    ///   whose rows this one would write as they are not meant any more.
    func lookAround() async throws {
        _ = try await clockReading()
        try await database.refuseNewerSchema(than: Schema.migrations)
    }
}
