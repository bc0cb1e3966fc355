import AppStoreWire
import Journal
import Storage
import SubscriptionRules

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

extension Store {
    /// What the developer says about a purchase of which a refund is asked (REF-6). A policy
    /// decides at once with it; without an open request it is taken and changes nothing.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.family(.isShared)` (FAM-7).
    public func consumption(
        of id: Int64, _ consumption: Consumption, for caller: Caller
    ) async throws {
        try await write(about: .transaction(id)) { work in
            let app = try work.apps.find(bundleID: caller.bundleID)
            guard let transaction = try TransactionRecord.find(id, in: work.session),
                transaction.app == app.id, transaction.environment == caller.environment
            else { throw StoreError.unknown(.transaction, String(id)) }
            guard transaction.source == nil else {
                throw StoreError.family(.isShared(String(id)))
            }
            // An answer that comes too late changes nothing, however late the decision is made.
            try work.catchUp(customer: transaction.customer)
            work.record(.sentConsumption) { entry in
                entry.app = app.id
                entry.customer = transaction.customer
                entry.subscription = transaction.subscription
                entry.event.transactionID = id
                entry.event.consumption = consumption.told
            }
            guard var request = try RefundRequest.open(forTransaction: id, in: work.session)
            else { return }
            request.consumption = consumption
            if let decidesAt = request.decidesAt { request.decidesAt = min(decidesAt, work.now) }
            try request.save(in: work.session)
        }
    }
}

extension UnitOfWork {
    /// How long the developer may take to answer: twelve hours, in Sandbox as many shortened ones
    /// (REF-5).
    func answerTime(of transaction: TransactionRecord) throws -> Span {
        guard let customer = try Customer.find(transaction.customer, in: session) else {
            throw Stored.missing(
                "customer \(transaction.customer)", for: "store_transaction \(transaction.id)")
        }
        let day = customer.tempo.span(days: 1, of: .month)
        return Span(milliseconds: day.milliseconds / 2)
    }
}
