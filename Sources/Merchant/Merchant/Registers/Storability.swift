import MerchantRules
import Storage
import SubscriptionRules

/// What is signed may say anything. A moment that could be written and not read would make every
/// answer about its account fail, and hold up all that waits behind news of the same purchase; a
/// count below one would take from a balance.
extension Evidence {
    /// How many of something one transaction buys: a sum of them never leaves 64 bits.
    private static let quantities = 1...Int64(Int32.max)

    /// - Throws: `StorageError` of the letter: it is refused, and keeps no other from being taken.
    func checkStorable() throws(StorageError) {
        var moments: [Instant?] = []
        var names: [String] = originalTransactionID.map { [$0] } ?? []
        for one in transactions {
            moments += [
                one.facts.purchased, one.facts.expires, one.facts.revoked, one.signature.signedAt,
            ]
            names += [one.facts.transactionID, one.facts.productID]
            guard Self.quantities.contains(one.facts.quantity) else {
                throw StorageError(.invalidStatement, "\(one.facts.quantity) were bought")
            }
        }
        if let renewal { moments += [renewal.facts.graceEnds, renewal.signature.signedAt] }
        try moments.compactMap(\.self).checkStorable()
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw StorageError(.invalidStatement, "a transaction or a product has no name")
        }
    }
}

extension [Instant] {
    /// - Throws: `StorageError` of the letter where one of them could not be read back.
    func checkStorable() throws(StorageError) {
        for moment in self where !Instant.storable.contains(moment.milliseconds) {
            throw StorageError(
                .invalidStatement, "\(moment.milliseconds) ms is no moment of 1970 to 2199")
        }
    }
}
