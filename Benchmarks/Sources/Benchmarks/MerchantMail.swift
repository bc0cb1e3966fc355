import AppStoreSigning
import AppStoreWire
import Foundation
import Merchant
import Storage

/// What the App Store sends to a merchant: a subscription a customer, charged once a month.
struct MerchantMail: Sendable {
    static let appleID: Int64 = 1_000_000_001
    private static let month: Int64 = 2_592_000_000

    let chain: CertificateChain
    private let signer: JWSSigner

    init() throws {
        chain = try Fixture.chain()
        signer = JWSSigner(chain: chain)
    }

    /// One notification and what is signed in it.
    struct Letter: Sendable {
        let uuid: String
        let signedAt: Int64
        let transaction: String
        let renewal: String
        let signedPayload: String

        /// As it is posted.
        var request: String {
            let body = "{\"signedPayload\":\"\(signedPayload)\"}"
            return "POST /apple/v2/\(Fixture.bundleID) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body
        }
    }

    func setup() throws -> AppSetup {
        try AppSetup(
            bundleID: Fixture.bundleID, appAppleID: Self.appleID, rootDER: [chain.rootDER])
    }

    /// A customer's charge, the first of which is number 0.
    func letter(of customer: Int, charge: Int) throws -> Letter {
        let start = Fixture.start.milliseconds + Int64(charge) * Self.month
        let original = "\(400_000_000_000_000 + customer * 100)"
        var transaction = Fixture.transaction
        transaction.originalTransactionId = original
        transaction.transactionId = "\(400_000_000_000_000 + customer * 100 + charge)"
        transaction.purchaseDate = start
        transaction.expiresDate = start + Self.month
        transaction.signedDate = start
        transaction.transactionReason = charge == 0 ? .purchase : .renewal
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: original, productId: "club.monthly",
            autoRenewProductId: "club.monthly", autoRenewStatus: .on,
            renewalDate: start + Self.month, environment: .production, signedDate: start)
        let signedTransaction = try signer.sign(transaction)
        let signedRenewal = try signer.sign(renewal)
        let number = String(format: "%012ld", customer * 100 + charge)
        let uuid = "6f1e4c2a-0b7d-4a57-9c3e-\(number)"
        let notification = ResponseBodyV2DecodedPayload(
            notificationType: charge == 0 ? .subscribed : .didRenew,
            subtype: charge == 0 ? .initialBuy : nil, notificationUUID: uuid,
            data: NotificationData(
                appAppleId: Self.appleID, bundleId: Fixture.bundleID, environment: .production,
                signedTransactionInfo: signedTransaction, signedRenewalInfo: signedRenewal,
                status: .active), version: "2.0", signedDate: start)
        return Letter(
            uuid: uuid, signedAt: start, transaction: signedTransaction, renewal: signedRenewal,
            signedPayload: try signer.sign(notification))
    }
}

/// Customers of a merchant, each with a purchase and two renewals.
struct MerchantCrowd: Sendable {
    let mail: MerchantMail
    let customers: Int
    private static let charges = 3
    private static let stride: Int64 = 1_000_000

    /// Which columns tell the copies of a customer apart.
    private struct Copied {
        let table: String
        /// Numbers, the first of which says which rows are copied.
        let numbers: [String]
        var texts: [String] = []
    }

    private static let tables = [
        Copied(table: "account", numbers: ["id"], texts: ["name"]),
        Copied(
            table: "purchase", numbers: ["id", "account"], texts: ["original_transaction_id"]),
        Copied(table: "binding", numbers: ["purchase", "account"]),
        Copied(table: "transaction_register", numbers: ["purchase"], texts: ["transaction_id"]),
        Copied(table: "renewal_register", numbers: ["purchase"]),
    ]

    /// Lets a thousand customers come as they do, and copies their rows.
    ///
    /// - Returns: the names of the accounts.
    func fill(_ merchant: Merchant, _ database: any Database) async throws -> [String] {
        let first = min(customers, 1000)
        for customer in 0..<first {
            for charge in 0..<Self.charges {
                let letter = try mail.letter(of: customer, charge: charge)
                if charge == 0 {
                    _ = try await merchant.take(
                        transaction: letter.transaction, from: "customer-\(customer)",
                        of: Fixture.bundleID)
                }
                _ = try await merchant.receive(letter.signedPayload, for: Fixture.bundleID)
            }
        }
        try await merchant.settle()
        for copied in Self.tables { try await copy(copied, customers / first, in: database) }
        // As the databases do by and by; without it PostgreSQL takes a table for an empty one.
        try await database.write { _ = try $0.execute("ANALYZE") }
        return try await database.read { session in
            try session.rows("SELECT name FROM account ORDER BY id").map { try $0.text(0) }
        }
    }

    private func copy(
        _ copied: Copied, _ factor: Int, in database: any Database
    ) async throws {
        let names = try await database.read { session in
            try Fixture.columnNames(of: copied.table, in: session)
        }
        let list = names.joined(separator: ", ")
        for copy in 1..<max(factor, 1) {
            let values = names.map { name in
                if copied.numbers.contains(name) {
                    return "\(name) + \(Int64(copy) * Self.stride)"
                }
                return copied.texts.contains(name) ? "\(name) || '-\(copy)'" : name
            }.joined(separator: ", ")
            try await database.write { session in
                try session.execute(
                    """
                    INSERT INTO \(raw: copied.table) (\(raw: list))
                    SELECT \(raw: values) FROM \(raw: copied.table)
                    WHERE \(raw: copied.numbers[0]) < \(Self.stride)
                    """)
            }
        }
    }
}
