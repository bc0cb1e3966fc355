import Storage
package import SubscriptionRules

/// Why something failed that is likely to go well soon, so that whoever asked may try again: the
/// database was busy or could not be reached.
package enum PassingFailure: Error, Sendable, Hashable {
    /// Others were before it, for too long.
    case busy
    /// The database does not answer; what was asked may have happened.
    case unreachable

    /// Nil for what is not likely to pass.
    package init?(_ error: any Error) {
        if let known = error as? PassingFailure {
            self = known
            return
        }
        switch (error as? StorageError)?.code {
        case .busy, .serializationFailure: self = .busy
        case .connectionLost: self = .unreachable
        default: return nil
        }
    }

    /// After how long it is worth trying again.
    package var pause: Span {
        switch self {
        case .busy: .seconds(1)
        case .unreachable: .seconds(5)
        }
    }
}
