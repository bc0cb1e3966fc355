internal import AppStoreWire
public import Storage
internal import SubscriptionRules
public import TestFloor

/// What a store holds, to compare it.
extension Tables {
    private static let ofStore = [
        "world", "app", "product", "subscription_group", "product_storefront", "customer",
        "customer_app", "device", "device_mark", "sign_in", "subscription", "store_transaction",
        "journal", "notification",
        "notification_attempt", "price_change", "mass_extension", "mass_extension_failure",
        "refund_request", "ledger", "fault", "fault_decision", "customer_ahead", "bill",
        "errand", "bank_cursor", "consent_threshold", "offer_signature", "offer_code_batch",
        "offer_redemption", "app_key", "opt_in_terms", "opt_in", "mail",
        "mail_attempt",
    ]

    /// Everything in a store's database; not which processes served it, of which each is another
    /// one, and tokens of sign-in, which are random, are no difference.
    public init(_ database: any Database) async throws {
        try await self.init(
            database, named: Tables.ofStore, chance: ["sign_in"], as: Tables.withoutSignature)
    }

    /// What two ways of doing the same must leave alike, be it that one of them was broken off in
    /// between: PostgreSQL's sequence never gives a number out twice, so there it is what does not
    /// follow from numbers.
    public static func comparable(_ database: any Database) async throws -> Tables {
        switch database.dialect {
        case .sqlite: try await Tables(database)
        case .postgres: try await withoutNumbers(database)
        }
    }

    /// Everything that does not follow from numbers; of most tables how many rows there are.
    public static func withoutNumbers(_ database: any Database) async throws -> Tables {
        let names = ofStore.filter { !followFromNumbers.contains($0) }
        let columns = Dictionary(
            uniqueKeysWithValues: names.map { ($0, columnsBesideNumbers[$0] ?? "COUNT(*)") })
        return try await Tables(database, named: names, columns: columns)
    }

    private static let columnsBesideNumbers = [
        "world": "clock_mode, clock_value, settings_version",
        "customer": "account, declines, declines_until, declines_left",
        "subscription": "product_id, state, renews, term_start, term_end, term_price, next_change",
        "store_transaction": """
        product_id, purchased_at, expires_at, price, is_upgraded, refunded, finished_at
        """,
        "journal": "at, kind",
        "ledger": "at, kind, customer, developer, store",
        "notification": "kind, subkind, created_at",
    ]

    /// How often something is tried follows from its identifier where servers and faults go by it.
    private static let followFromNumbers: Set<String> = [
        "notification_attempt", "mail_attempt", "fault", "fault_decision",
    ]

    // A signature is made with fresh randomness; what is signed must be the same.
    @Sendable private static func withoutSignature(_ value: SQLValue) -> SQLValue {
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
