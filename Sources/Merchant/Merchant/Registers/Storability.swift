import MerchantRules
import Storage
import SubscriptionRules

/// Signed data may contain any number. `Row.instant` rejects dates outside 1970 to 2199, so a
/// stored one would fail every request about its account and every batch with a receipt of the same
/// purchase. A quantity below 1 would reduce a balance.
extension Evidence {
    /// Sums of these quantities never overflow 64 bits.
    private static let quantities = 1...Int64(Int32.max)

    /// - Throws: a `StorageError` that `isOfTheLetter`, so that only this message is rejected.
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
    /// - Throws: a `StorageError` that `isOfTheLetter` where a date is not of 1970 to 2199.
    func checkStorable() throws(StorageError) {
        for moment in self where !Instant.storable.contains(moment.milliseconds) {
            throw StorageError(
                .invalidStatement, "\(moment.milliseconds) ms is no moment of 1970 to 2199")
        }
    }
}
