internal import AppStoreWire
public import Storage
internal import SubscriptionRules

/// Everything in a store's database, to compare what two ways of doing the same have left; not
/// which processes served it, of which each is another one.
public struct Tables: Hashable, Sendable {
    /// The rows of each table, in an order that does not depend on when they were written.
    public let rows: [String: [Row]]

    static let names = [
        "world", "app", "product", "subscription_group", "product_storefront", "customer",
        "customer_app", "sign_in", "subscription", "store_transaction", "journal", "notification",
        "notification_attempt", "price_change", "mass_extension", "mass_extension_failure",
        "refund_request", "ledger", "fault", "fault_decision", "customer_ahead", "bill",
        "errand", "bank_cursor", "consent_threshold",
    ]

    public init(_ database: any Database) async throws {
        rows = try await database.read { session in
            var rows: [String: [Row]] = [:]
            for name in Tables.names {
                let found = try session.rows("SELECT * FROM \(raw: name)").map {
                    Row($0.values.map(Tables.withoutSignature))
                }
                rows[name] = found.map { (Tables.key($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
            return rows
        }
    }

    /// How many rows each table has.
    public var counts: [String: Int] { rows.mapValues(\.count) }

    /// The tables in which two databases differ, but for tokens of sign-in, which are random, and
    /// those that are named.
    public func differences(from other: Tables, besides: Set<String> = []) -> [String] {
        Tables.names.filter {
            $0 != "sign_in" && !besides.contains($0) && rows[$0] != other.rows[$0]
        }
    }

    // Whatever sorts equal rows to equal places does.
    private static func key(_ row: Row) -> String {
        var key = ""
        for value in row.values {
            switch value {
            case .null: key += "-"
            case .integer(let number): key += String(number)
            case .text(let text): key += text
            case .bytes(let bytes): key += String(decoding: bytes, as: UTF8.self)
            }
            key += "|"
        }
        return key
    }

    // A signature is made with fresh randomness; what is signed must be the same.
    private static func withoutSignature(_ value: SQLValue) -> SQLValue {
        guard case .text(let text) = value, text.hasPrefix("eyJ"),
            let payload: JSONText = try? JWSText.decode(text)
        else { return value }
        return .text(payload.text)
    }
}

/// The JSON of a signed payload, with what is signed inside it read as well.
private struct JSONText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let body = try ResponseBodyV2DecodedPayload(from: decoder)
        var parts = [body.notificationType.rawValue, body.notificationUUID, "\(body.signedDate)"]
        if let signed = body.data?.signedTransactionInfo {
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
            parts.append(transaction.jsonText())
        }
        if let signed = body.data?.signedRenewalInfo {
            let renewal: JWSRenewalInfoDecodedPayload = try JWSText.decode(signed)
            parts.append(renewal.jsonText())
        }
        text = parts.joined(separator: "\n")
    }
}
