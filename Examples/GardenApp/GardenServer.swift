import AppStoreSigning
import AppStoreWire
import PerennialKit

/// The developer's server: it believes no app, but what the store signed, and keeps the books.
actor GardenServer: DevelopersServer {
    /// Why an app gets nothing.
    struct NoProof: Error, CustomStringConvertible {
        let description: String
    }

    private let verifier: SignedDataVerifier
    /// The issues of the magazine that each subscription was paid for, by transaction.
    private var books: [String: Set<String>] = [:]

    init(root: [UInt8], bundleID: String, appAppleID: Int64) throws {
        verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: root), bundleID: bundleID,
            environment: .production, appAppleID: appAppleID)
    }

    func unlock(_ transaction: Transaction, of session: StoreSession) async throws -> Int {
        try await unlock(transaction.jwsRepresentation)
    }

    /// Writes down what a proof is for. The same proof once more adds nothing: apps send it until
    /// they are answered.
    ///
    /// - Returns: how many issues the subscription has been paid for by now.
    func unlock(_ proof: String) async throws -> Int {
        let payload: JWSTransactionDecodedPayload
        do {
            payload = try await verifier.verifyTransaction(proof)
        } catch {
            throw NoProof(description: "That is no proof of a purchase here: \(error)")
        }
        guard payload.revocationDate == nil, payload.isUpgraded != true else {
            books[payload.originalTransactionId]?.remove(payload.transactionId)
            return books[payload.originalTransactionId]?.count ?? 0
        }
        books[payload.originalTransactionId, default: []].insert(payload.transactionId)
        return books[payload.originalTransactionId]?.count ?? 0
    }
}
