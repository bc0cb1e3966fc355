import AppStoreWire
import Crypto
import MerchantRules
import Storage
import SubscriptionRules
import TimeAndChance

/// An answer that is kept as the proof of consent (CMP-31). Rows are added and never changed.
struct PriceConsentRow: StoredRecord {
    var campaign: Int64
    var purchase: Int64
    /// Its place among the answers of the subscriber, from 1.
    var place: Int64
    var answered: Instant
    /// What was asked and answered, as the JSON text of which `digest` is the SHA-256. It names the
    /// digest of the answer before it, so that none can be changed or left out unseen.
    var evidence: String
    var digest: String

    static let blank = PriceConsentRow(
        campaign: 0, purchase: 0, place: 0, answered: Instant(milliseconds: 0), evidence: "",
        digest: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("campaign", &campaign)
        try columns.column("purchase", &purchase)
        try columns.column("place", &place)
        try columns.column("answered_at", &answered)
        try columns.column("evidence", &evidence)
        try columns.column("digest", &digest)
    }

    private static let register = Register<Self>(
        table: "campaign_consent", key: ["campaign", "purchase", "place"])

    /// Those of a subscriber, the first first.
    static func all(
        in campaign: Int64, of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [PriceConsentRow] {
        try register.records(
            where: "campaign = \(campaign) AND purchase = \(purchase) ORDER BY place", session)
    }

    /// Adds an answer; whoever calls has locked the subscriber's row.
    static func add(
        _ proof: PriceConsentProof, in campaign: Int64, of purchase: Int64,
        _ session: any Session
    ) throws(StorageError) {
        let last = try all(in: campaign, of: purchase, session).last
        let place = (last?.place ?? 0) + 1
        let evidence = proof.text(place: place, after: last?.digest)
        let digest = SHA256.hash(data: Array(evidence.utf8)).hexadecimal
        try session.execute(
            """
            INSERT INTO campaign_consent (campaign, purchase, place, answered_at, evidence, digest)
            VALUES (\(campaign), \(purchase), \(place), \(proof.answer.at), \(evidence),
                \(digest))
            """)
    }
}

/// What proves an answer. The account's name is not among it: it can be erased, this is kept.
struct PriceConsentProof: Sendable {
    let campaign: String
    let originalTransactionID: String
    let answer: CampaignAnswer
    let storefront: String
    let currency: String
    /// What was asked of the subscriber, and the tests that demanded it.
    let path: String
    /// The words that were shown; nil where no sheet was.
    let sheet: PriceMessageRow?
    /// When the app said first that a sheet about the price was on the screen; nil where it never
    /// did. That a sheet could be shown proves nothing.
    let shown: Instant?

    /// The JSON text.
    ///
    /// - Parameter previous: the digest of the answer before.
    func text(place: Int64, after previous: String?) -> String {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.field("place", place)
            json.field("previous", previous)
            json.field("campaign", campaign)
            json.field("originalTransactionId", originalTransactionID)
            json.field("occasion", answer.occasion.rawValue)
            json.field("path", path)
            json.field("answer", answer.isAgreed ? "agreed" : "declined")
            json.field("answeredAt", answer.at.iso8601)
            json.field("source", "app")
            json.field("items", answer.skus)
            json.field("oldPrice", answer.oldPrice)
            json.field("newPrice", answer.newPrice)
            json.field("currency", currency)
            json.field("storefront", storefront)
            json.field("renewal", answer.renewal.iso8601)
            json.field("channel", sheet?.channel.rawValue)
            json.field("locale", sheet?.locale)
            json.field("publishedAt", sheet?.sent?.iso8601)
            json.field("shownAt", shown?.iso8601)
            json.field("title", sheet?.title)
            json.field("words", sheet?.body)
            json.field("wordsSha256", sheet?.digest)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
