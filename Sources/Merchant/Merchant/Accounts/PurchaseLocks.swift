import Storage

/// By what a purchase is known.
struct PurchaseKey: Hashable, Comparable, Sendable {
    let app: Int64
    let environment: MerchantEnvironment
    let originalTransactionID: String

    static func < (left: PurchaseKey, right: PurchaseKey) -> Bool {
        (left.app, left.environment.rawValue, left.originalTransactionID)
            < (right.app, right.environment.rawValue, right.originalTransactionID)
    }
}

extension PurchaseRow {
    /// Locks everything that evidence is about. Who changes several purchases locks them all first,
    /// in one order, before any account: who changes one and its account beside that waits for
    /// nobody who waits for it.
    static func lock(
        _ evidence: [Evidence], of app: Int64, _ session: any Session
    ) throws(StorageError) {
        try lock(evidence.compactMap { $0.key(in: app) }, session)
    }

    /// The same of purchases of several apps.
    static func lock(_ keys: [PurchaseKey], _ session: any Session) throws(StorageError) {
        guard session.dialect.isShared else { return }
        for key in Set(keys).sorted() {
            _ = try ensure(key.originalTransactionID, of: key.app, key.environment, session)
        }
    }
}

extension Evidence {
    /// The purchase that it is about; nil where it is about none.
    func key(in app: Int64) -> PurchaseKey? {
        originalTransactionID.map { number in
            PurchaseKey(app: app, environment: environment, originalTransactionID: number)
        }
    }
}
