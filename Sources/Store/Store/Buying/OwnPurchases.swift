import Storage
public import SubscriptionRules

/// A purchase as its customer's history shows it.
public struct OwnPurchase: Sendable {
    public let id: Int64
    /// The first one of its chain, or the same.
    public let originalID: Int64
    public let orderID: String
    public let productID: String
    public let type: ProductType
    public let quantity: Int
    public let purchased: Instant
    /// When the first one of the chain was bought.
    public let firstPurchased: Instant
    /// Until when a period of a subscription lasts.
    public let expires: Instant?
    public let price: Money
    /// Whether another one of the family paid for it.
    public let isShared: Bool
    /// Whether an upgrade took its place.
    public let isUpgraded: Bool
    public let revoked: Instant?
    /// What was given back, in milliunits.
    public let refunded: Int64?
    /// The newest request for its price; nil where nobody has asked.
    public let claim: RefundRequest?

    fileprivate init(_ record: TransactionRecord, claim: RefundRequest?) {
        id = record.id
        originalID = record.originalID
        orderID = OrderID.text(record.id)
        productID = record.productID
        type = record.type
        quantity = record.quantity
        purchased = record.purchased
        firstPurchased = record.firstPurchased
        expires = record.expires
        price = record.price
        isShared = record.source != nil
        isUpgraded = record.isUpgraded
        revoked = record.revocation?.moment
        refunded = record.refunded
        self.claim = claim
    }
}

extension Store {
    /// What the customer on a device bought in its app, newest first.
    ///
    /// - Parameter before: the identifier of the last one of the page before; nil for the newest.
    public func purchases(
        for device: DeviceSession, before: Int64?, limit: Int
    ) async throws -> [OwnPurchase] {
        try await read { reader in
            try reader.own(
                try TransactionRecord.newest(
                    of: device.buyer, before: before, limit: limit, in: reader.session), device)
        }
    }

    /// One of them.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`.
    public func purchase(_ id: Int64, for device: DeviceSession) async throws -> OwnPurchase {
        try await read { reader in
            guard let record = try TransactionRecord.find(id, in: reader.session),
                record.customer == device.customer, record.app == device.app,
                let own = try reader.own([record], device).first
            else { throw StoreError.unknown(.transaction, String(id)) }
            return own
        }
    }
}

extension StoreReader {
    /// Each with the newest request for its price.
    fileprivate func own(
        _ records: [TransactionRecord], _ device: DeviceSession
    ) throws -> [OwnPurchase] {
        let claims = Dictionary(
            try RefundRequest.all(
                ofCustomer: device.customer, forTransactions: records.map(\.id), in: session
            ).map { ($0.transactionID, $0) }, uniquingKeysWith: { _, newer in newer })
        return records.map { OwnPurchase($0, claim: claims[$0.id]) }
    }
}
