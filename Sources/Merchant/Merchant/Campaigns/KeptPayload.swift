import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Storage

/// What a text says that a register keeps. It was verified before it was kept, so it is only
/// decoded here; what a receipt has told is no JWS, and gives nil.
enum KeptPayload {
    static func transaction(_ text: String) -> JWSTransactionDecodedPayload? { decoded(text) }

    static func renewal(_ text: String) -> JWSRenewalInfoDecodedPayload? { decoded(text) }

    private static func decoded<Payload: Decodable>(_ text: String) -> Payload? {
        try? CompactJWS(text).said(as: Payload.self)
    }
}

/// A text that the register of transactions keeps.
struct KeptTransaction: StoredRecord {
    var purchase: Int64
    var transactionID: String
    var text: String

    static let blank = KeptTransaction(purchase: 0, transactionID: "", text: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("purchase", &purchase)
        try columns.column("transaction_id", &transactionID)
        try columns.column("signed_text", &text)
    }

    static let register = Register<Self>(
        table: "transaction_register", key: ["purchase", "transaction_id"])

    /// What the texts of some transactions say, by transaction.
    static func payloads(
        _ transactionIDs: [String], of purchases: [Int64], _ session: any Session
    ) throws(StorageError) -> [String: JWSTransactionDecodedPayload] {
        guard !transactionIDs.isEmpty else { return [:] }
        var payloads: [String: JWSTransactionDecodedPayload] = [:]
        // The key begins with the purchase.
        let kept = try register.records(
            where: """
                purchase IN (\(list: purchases)) AND transaction_id IN (\(list: transactionIDs))
                """, session)
        for one in kept { payloads[one.transactionID] = KeptPayload.transaction(one.text) }
        return payloads
    }
}
