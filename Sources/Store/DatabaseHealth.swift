public import Storage
public import SubscriptionRules

/// Why something failed that is likely to go well soon.
public enum PassingFailure: Sendable, Hashable {
    /// Others were before it, for too long.
    case busy
    /// The database does not answer; what was asked may have happened.
    case unreachable

    /// After how long it is worth trying again.
    public var pause: Span {
        switch self {
        case .busy: .seconds(1)
        case .unreachable: .seconds(5)
        }
    }
}

extension Store {
    /// Whether a failure is likely to pass, so that whoever asked may try again soon: the database
    /// was busy or could not be reached.
    public static func passing(_ error: any Error) -> PassingFailure? {
        switch (error as? StorageError)?.code {
        case .busy, .serializationFailure: .busy
        case .connectionLost: .unreachable
        default: nil
        }
    }

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
