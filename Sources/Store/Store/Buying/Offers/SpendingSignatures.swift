import Storage
import SubscriptionRules

/// A purchase that was refused after the signature of its offer had been looked at: nothing of it
/// is kept but that the signature was used.
private struct RefusedAttempt: Error {
    let nonce: String
    let refusal: StoreError
}

extension Store {
    /// Spends the signature of an attempt to buy that was refused (PRO-1), after everything else of
    /// the attempt was taken back. What is only rehearsed spends nothing.
    ///
    /// - Throws: what refused the attempt.
    func spendingSignature<T: Sendable>(
        by device: DeviceSession, _ attempt: () async throws -> T
    ) async throws -> T {
        do {
            return try await attempt()
        } catch let refused as RefusedAttempt {
            if !Rehearsal.isUnderWay {
                try await write(about: .customer(device.customer)) { work in
                    // Where somebody was first meanwhile, it is spent as well.
                    _ = try OfferSignatureUse.insert(
                        app: device.app, environment: device.environment, nonce: refused.nonce,
                        at: work.now, in: work.session)
                }
            }
            throw refused.refusal
        }
    }
}

extension PurchaseWork {
    /// Tries to buy, by the signature of the offer if it has one. That is good for one attempt,
    /// whatever comes of it: declined by the bank, or refused by the store (PRO-1).
    func attempt(_ purchase: () throws -> Sale) throws -> Sale {
        // Of what was approved the signature was used up when it was asked for.
        guard let signed = request.offer?.signed, !isApproved else { return try purchase() }
        try use(signed)
        return try spending(signed.nonce, on: purchase)
    }

    /// A purchase by something signed, whose nonce is used whatever comes of it.
    func spending(_ nonce: String, on purchase: () throws -> Sale) throws -> Sale {
        do {
            return try purchase()
        } catch let refusal as StoreError {
            throw RefusedAttempt(nonce: nonce, refusal: refusal)
        }
    }

    /// Uses a signature up. One that names somebody else is not this customer's to spend.
    private func use(_ signed: SignedClaim) throws {
        if let id = signed.transactionID {
            guard let number = Int64(id), try isOwn(number) else {
                throw StoreError.purchase(.offer(.otherCustomer))
            }
        }
        let isNew = try OfferSignatureUse.insert(
            app: app.id, environment: customer.environment, nonce: signed.nonce,
            at: work.now, in: work.session)
        guard isNew else { throw StoreError.purchase(.offer(.signatureUsed)) }
    }

    private func isOwn(_ transactionID: Int64) throws -> Bool {
        if let transaction = try work.transaction(transactionID) {
            return transaction.customer == customer.id && transaction.app == app.id
        }
        let copy = try AppCopy.find(customer: customer.id, app: app.id, in: work.session)
        return copy?.transactionID == transactionID
    }
}
