public import AppStoreWire
public import Storage

/// The two environments of one world. Data never crosses from one to the other (API-1).
public enum StoreEnvironment: Int64, Sendable, Hashable, CaseIterable, SQLConvertible {
    /// True lengths of periods.
    case production = 0
    /// Shortened periods, a tenth of the rate limits, one attempt per notification.
    case sandbox = 1

    /// The name on the wire.
    public var wire: Environment {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        }
    }

    /// The first transaction identifier: 15 digits in Production, 16 in Sandbox, so that one can
    /// tell them apart by looking.
    var firstTransactionID: Int64 {
        switch self {
        case .production: 400_000_000_000_000
        case .sandbox: 2_000_000_000_000_000
        }
    }

    /// The number that a transaction identifier was made from.
    static func number(inTransactionID id: Int64) -> Int64 {
        id - (id >= sandbox.firstTransactionID ? sandbox : production).firstTransactionID
    }
}
