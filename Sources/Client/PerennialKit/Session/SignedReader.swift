import AppStoreSigning
import AppStoreWire
import FoundationEssentials

/// Verifies what the store signed, and decodes it also where it is not to be trusted, for apps are
/// shown that too.
struct SignedReader: Sendable {
    let verifier: SignedDataVerifier

    /// A transaction, and why it is not to be trusted, if it is not.
    ///
    /// - Throws: ``StoreKitError/invalidResponse(_:)`` where there is nothing to decode.
    func transaction(
        _ jws: String
    ) async throws(StoreKitError) -> (JWSTransactionDecodedPayload, JWSVerificationError?) {
        let result: (JWSTransactionDecodedPayload, JWSVerificationError?)
        do throws(JWSVerificationError) {
            result = (try await verifier.verifyTransaction(jws), nil)
        } catch {
            result = (try Self.decode(jws), error)
        }
        for id in [result.0.transactionId, result.0.originalTransactionId]
        where UInt64(id) == nil || id.utf8.count > 19 {
            throw .invalidResponse("a transaction has the identifier \(id.prefix(32))")
        }
        return result
    }

    /// Renewal information, in the same way.
    func renewalInfo(
        _ jws: String
    ) async throws(StoreKitError) -> (JWSRenewalInfoDecodedPayload, JWSVerificationError?) {
        do throws(JWSVerificationError) {
            return (try await verifier.verifyRenewalInfo(jws), nil)
        } catch {
            return (try Self.decode(jws), error)
        }
    }

    /// A copy of the app, in the same way.
    func appTransaction(
        _ jws: String
    ) async throws(StoreKitError) -> (AppStoreWire.AppTransaction, JWSVerificationError?) {
        do throws(JWSVerificationError) {
            return (try await verifier.verifyAppTransaction(jws), nil)
        } catch {
            return (try Self.decode(jws), error)
        }
    }

    /// Subscriptions, told apart from those told before by what they say.
    func statuses(_ entries: [JSONValue]) async throws(StoreKitError) -> [ReceivedStatus] {
        var found: [ReceivedStatus] = []
        for entry in entries {
            let id = try entry.requiredText("originalTransactionId", "a subscription")
            let state = try entry.requiredInteger("status", "a subscription")
            let transaction = try await transaction(
                entry.requiredText("signedTransactionInfo", "a subscription"))
            let renewal = try await renewalInfo(
                entry.requiredText("signedRenewalInfo", "a subscription"))
            let isVerified = transaction.1 == nil && renewal.1 == nil
            found.append(
                ReceivedStatus(
                    id: id, json: entry,
                    fingerprint: "\(state) \(isVerified) \(transaction.0.fingerprint) "
                        + renewal.0.fingerprint))
        }
        return found
    }

    private static func decode<Payload: Decodable>(
        _ jws: String
    ) throws(StoreKitError) -> Payload {
        guard let payload = try? CompactJWS(jws).said(as: Payload.self) else {
            throw .invalidResponse("what is signed is no \(Payload.self)")
        }
        return payload
    }
}
