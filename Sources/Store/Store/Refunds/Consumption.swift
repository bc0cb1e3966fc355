import AppStoreWire
import Journal
import Storage

/// What a developer tells about a purchase of which a refund is asked (REF-6): what counts for a
/// decision, and all of it to read.
public struct Consumption: Sendable, Hashable {
    /// What the developer would like.
    public enum Preference: String, Sendable, Hashable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    /// Nil where the developer prefers nothing.
    public let preference: Preference?
    /// How much was used up, 100000 for all; never given for auto-renewable subscriptions.
    public let percentage: Int?
    /// Everything that was told, as a JSON object of the members that Apple publishes.
    public let body: String

    public init(preference: Preference?, percentage: Int?, body: String) {
        self.preference = preference
        self.percentage = percentage
        self.body = body
    }

    /// What the journal says of it.
    var told: JournalDetail.Consumption {
        JournalDetail.Consumption(
            preference: preference?.rawValue, percentage: percentage.map(Int64.init), body: body)
    }

    var text: String {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("preference", preference?.rawValue)
            json.field("percentage", percentage)
            json.field("body", body)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    init(stored text: String) throws(StorageError) {
        let json = try StoredJSON(text)
        self.init(
            preference: json.stringOrNil("preference").flatMap(Preference.init(rawValue:)),
            percentage: json.integerOrNil("percentage").map { Int($0) },
            body: try json.string("body"))
        guard (0...100_000).contains(percentage ?? 0) else {
            throw StorageError(.corrupt, "a share of \(percentage ?? 0) was consumed")
        }
    }
}
