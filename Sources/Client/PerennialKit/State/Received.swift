import AppStoreWire
import Crypto

/// A transaction as it came, decoded, and told apart from others.
struct ReceivedTransaction: Sendable {
    let id: String
    let productID: String
    let jws: String
    let fingerprint: String
    let kind: QueuedTransaction.Kind
    /// Whether the store says that it is finished on this device.
    let isFinished: Bool
    /// What is kept of it; nil for what comes from the queue on this device.
    let entry: KeptEntry?
    let isAutoRenewable: Bool
    /// Whether it is what the customer has, until it ends by its own date.
    let givesAccess: Bool

    /// - Parameter now: by the session's clock, in UNIX milliseconds.
    init(
        _ payload: JWSTransactionDecodedPayload, jws: String, kind: QueuedTransaction.Kind,
        isFinished: Bool = false, at now: Int64
    ) {
        entry = KeptEntry(payload, at: now, jws: jws)
        isAutoRenewable = payload.type == .autoRenewableSubscription
        givesAccess =
            payload.type != .consumable && payload.revocationDate == nil
            && payload.isUpgraded != true
        id = payload.transactionId
        productID = payload.productId
        self.jws = jws
        fingerprint = payload.fingerprint
        self.kind = kind
        self.isFinished = isFinished
    }

    init(_ entry: QueuedTransaction) {
        id = entry.id
        productID = entry.productID
        jws = entry.jws
        fingerprint = entry.fingerprint
        kind = entry.kind
        isFinished = false
        self.entry = nil
        isAutoRenewable = false
        givesAccess = false
    }
}

/// A subscription as it came.
struct ReceivedStatus: Sendable {
    let id: String
    let json: JSONValue
    let fingerprint: String
}

extension JWSTransactionDecodedPayload {
    /// What it says, but for the time of its signature, which is another at each fetch.
    var fingerprint: String {
        var payload = self
        payload.signedDate = 0
        return Fingerprint.text(payload.jsonBytes())
    }
}

extension JWSRenewalInfoDecodedPayload {
    /// What it says, but for the time of its signature.
    var fingerprint: String {
        var payload = self
        payload.signedDate = 0
        return Fingerprint.text(payload.jsonBytes())
    }
}

/// Short names for what was said.
enum Fingerprint {
    /// Half of a SHA-256, in hexadecimal digits.
    static func text(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(16).reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
