import Storage

/// A table as a check reads it: row by row, through the reader that the store uses.
struct StoredTable: Sendable {
    let name: String
    let query: SQL
    let read: @Sendable (Row) throws -> Void

    private init(
        _ name: String, _ columns: String, as alias: String = "",
        _ read: @escaping @Sendable (Row) throws -> Void
    ) {
        self.name = name
        query = "SELECT \(raw: columns) FROM \(raw: name) \(raw: alias)"
        self.read = read
    }

    /// Where a row is.
    func place(_ row: Row) -> String {
        guard case .integer(let id)? = row.values.first else { return name }
        return "\(name) \(id)"
    }

    static let all: [StoredTable] = [
        StoredTable("app", App.columns) { _ = try App($0) },
        StoredTable("opt_in_terms", OptInTerms.columns) { _ = try OptInTerms($0) },
        StoredTable("opt_in", OptIn.columns, as: "o") { _ = try OptIn($0) },
        StoredTable("app_key", AppKey.columns) { _ = try AppKey($0) },
        StoredTable("shared_secret", SharedSecret.columns) { _ = try SharedSecret($0) },
        StoredTable("product", "app, id, definition") { row in
            let row = StoredRow(row, of: "product of app", "app, id, definition")
            let id = try row.text(1)
            _ = try row.decoded(2) { text throws(StorageError) in
                try ProductText.product(id: id, text)
            }
        },
        StoredTable("subscription_group", "app, id, definition") { row in
            let row = StoredRow(row, of: "subscription_group of app", "app, id, definition")
            let id = try row.text(1)
            _ = try row.decoded(2) { text throws(StorageError) in
                try ProductText.group(id: id, text)
            }
        },
        StoredTable("consent_threshold", ConsentSetting.columns) { _ = try ConsentSetting($0) },
        StoredTable("customer", Customer.columns, as: "c") { _ = try Customer($0) },
        StoredTable("customer_app", "customer, app, app_transaction_id, acquired_at") { row in
            let row = StoredRow(
                row, of: "customer_app of customer",
                "customer, app, app_transaction_id, acquired_at")
            for column in 0...2 { _ = try row.identifier(column) }
            _ = try row.instant(3)
        },
        StoredTable("device", DeviceRecord.columns, as: "d") { _ = try DeviceRecord($0) },
        StoredTable("device_mark", DeviceMark.columns) { try DeviceMark.check($0) },
        StoredTable("sign_in", "device, created_at") { row in
            let row = StoredRow(row, of: "sign_in of device", "device, created_at")
            _ = try row.identifier(0)
            _ = try row.instant(1)
        },
        StoredTable("subscription", SubscriptionRecord.columns, as: "s") {
            _ = try SubscriptionRecord($0)
        },
        StoredTable("store_transaction", TransactionRecord.columns, as: "t") {
            _ = try TransactionRecord($0)
        },
        StoredTable("bill", BillRecord.columns, as: "b") { _ = try BillRecord($0) },
        StoredTable("errand", Errand.columns, as: "e") { _ = try Errand($0) },
        StoredTable("ledger", LedgerEntry.columns, as: "l") { _ = try LedgerEntry($0) },
        StoredTable("journal", JournalEntry.columns) { _ = try JournalEntry($0) },
        StoredTable("notification", NotificationRecord.columns) {
            _ = try NotificationRecord($0)
        },
        StoredTable("mail", MailRecord.columns) { _ = try MailRecord($0) },
        StoredTable("mail_attempt", "mail, number, at, outcome, reply") { row in
            let row = StoredRow(
                row, of: "mail_attempt of mail", "mail, number, at, outcome, reply")
            _ = try row.identifier(0)
            _ = try row.count(1)
            _ = try row.instant(2)
            _ = try row.text(3)
            _ = try row.textOrNil(4)
        },
        StoredTable("letter_due", LetterDue.columns, as: "l") { _ = try LetterDue($0) },
        StoredTable("notification_attempt", "notification, number, at, outcome") { row in
            let row = StoredRow(
                row, of: "notification_attempt of notification",
                "notification, number, at, outcome")
            _ = (try row.identifier(0), try row.count(1), try row.instant(2), try row.text(3))
        },
        StoredTable("price_change", ScheduledPrice.columns) { _ = try ScheduledPrice($0) },
        StoredTable("mass_extension", MassExtension.columns) { _ = try MassExtension($0) },
        StoredTable("customer_ahead", CustomerAhead.columns) { _ = try CustomerAhead($0) },
        StoredTable("mass_extension_failure", MassExtension.failureColumns) { row in
            let row = StoredRow(
                row, of: "mass_extension_failure of mass_extension",
                MassExtension.failureColumns)
            _ = (try row.identifier(0), try row.identifier(1), try row.text(2))
        },
        StoredTable("refund_request", RefundRequest.columns) { _ = try RefundRequest($0) },
        StoredTable("held_purchase", HeldPurchase.columns) { _ = try HeldPurchase($0) },
        StoredTable("family", Family.columns, as: "f") { _ = try Family($0) },
        StoredTable("family_member", Family.memberColumns, as: "m") {
            _ = try Family.Member($0, account: "", sharesNew: true)
        },
        StoredTable("family_share", FamilyShare.columns, as: "h") { _ = try FamilyShare($0) },
        StoredTable("sharing_due", SharingDue.columns) { _ = try SharingDue($0) },
        StoredTable("fault", FaultRecord.columns) { _ = try FaultRecord($0) },
        StoredTable("fault_decision", FaultDecision.columns) { _ = try AppliedFault($0) },
    ]
}
