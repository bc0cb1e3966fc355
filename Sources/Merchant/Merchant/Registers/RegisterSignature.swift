import Crypto
import Storage
import SubscriptionRules
import TimeAndChance

/// By what one record wins over another, and where it came from.
struct RegisterSignature: Hashable, Sendable {
    /// The signed text's own date, not that of the notification around it.
    var signedAt: Instant
    /// Of two records of one date the app's does not replace the store's own: a device may send
    /// what it got long ago.
    var rank: Int64
    /// By which two records are known to say the same.
    var digest: String
    /// The notification's UUID, `app` or `api`.
    var source: String
    /// As it was signed.
    var text: String

    static let blank = RegisterSignature(
        signedAt: Instant(milliseconds: 0), rank: 0, digest: "", source: "", text: "")

    /// - Parameter text: a verified JWS.
    init(of text: String, at signedAt: Int64, source: String) {
        // Two signatures of one payload differ; what they sign does not.
        let parts = text.split(separator: ".")
        let payload = parts.count == 3 ? parts[1] : text[...]
        let digest = SHA256.hash(data: Array(payload.utf8))
        self.init(
            signedAt: Instant(milliseconds: signedAt), rank: source == "app" ? 0 : 1,
            digest: digest.hexadecimal, source: source, text: text)
    }

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
