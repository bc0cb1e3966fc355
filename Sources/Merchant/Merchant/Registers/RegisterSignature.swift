import AppStoreSigning
import Crypto
import Storage
import SubscriptionRules
import TimeAndChance

/// By what one record wins over another, and where it came from.
struct RegisterSignature: Hashable, Sendable {
    /// The signed text's own date, not that of the notification around it.
    var signedAt: Instant
    /// Of two records of one date the app's does not replace the store's own: a device may send
    /// what it got long ago. What a receipt says comes after both (ING-4), and what nobody signed
    /// last of all.
    var rank: Int64
    /// By which two records are known to say the same.
    var digest: String
    /// The notification's UUID, `app`, `api`, `receipt` or `verifyReceipt`.
    var source: String
    /// As it was signed; what a receipt says of it, as JSON.
    var text: String

    static let blank = RegisterSignature(
        signedAt: Instant(milliseconds: 0), rank: 0, digest: "", source: "", text: "")

    /// - Parameter text: a verified JWS.
    init(of text: String, at signedAt: Int64, source: String) {
        // Two signatures of one payload differ; what they sign does not.
        let signed = (try? CompactJWS(text).payloadText) ?? ArraySlice(text.utf8)
        let digest = SHA256.hash(data: signed)
        self.init(
            signedAt: Instant(milliseconds: signedAt), rank: source == "app" ? 0 : 1,
            digest: digest.hexadecimal, source: source, text: text)
    }

    /// How much a record counts that no JWS says.
    enum Rank: Int64 {
        case receipt = -1
        /// What stands beside a receipt.
        case unsigned = -2
    }

    /// Of what a receipt says, or what stands beside it.
    ///
    /// - Parameters:
    ///   - text: JSON.
    ///   - created: the receipt's own date: it has none for each transaction.
    init(told text: String, at created: Instant, rank: Rank, source: String) {
        // A later receipt that says the same makes older news of what was signed between the two.
        let digest = SHA256.hash(data: Array("\(created.milliseconds) \(text)".utf8))
        self.init(
            signedAt: created, rank: rank.rawValue, digest: digest.hexadecimal, source: source,
            text: text)
    }

    /// Whether a receipt says it, which names less than a JWS.
    var isOfReceipt: Bool { rank < 0 }

    private init(
        signedAt: Instant, rank: Int64, digest: String, source: String,
        text: String
    ) {
        self.signedAt = signedAt
        self.rank = rank
        self.digest = digest
        self.source = source
        self.text = text
    }

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("signed_at", &signedAt)
        try columns.column("rank", &rank)
        try columns.column("digest", &digest)
        try columns.column("source", &source)
        try columns.column("signed_text", &text)
    }
}
