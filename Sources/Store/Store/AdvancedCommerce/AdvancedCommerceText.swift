import AppStoreWire
import FoundationEssentials
import Storage

/// What merchants said of what they sell themselves, as the JSON texts that tables keep: those of
/// the wire.
enum AdvancedCommerceText {
    static func text(_ value: some WireEncodable) -> String {
        var json = JSONWriter(capacity: 512)
        value.encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func transactionInfo(
        _ text: String
    ) throws(StorageError) -> AdvancedCommerceTransactionInfo {
        do {
            return try JSONDecoder().decode(
                AdvancedCommerceTransactionInfo.self, from: Data(text.utf8))
        } catch {
            throw StorageError(.corrupt, "the text is not what a transaction says of its items")
        }
    }

    static func request(_ text: String) throws(StorageError) -> AdvancedCommerceInAppRequest {
        guard let json = try? JSONValue(parsing: Array(text.utf8)),
            let request = try? AdvancedCommerceInAppRequest(json)
        else { throw StorageError(.corrupt, "the text is no request of a purchase") }
        return request
    }
}
