import MerchantRules
import Storage
import SubscriptionRules
import TimeAndChance

/// The row of a call that extends all subscribers of a product.
struct OutageCall: StoredRecord {
    var campaign: Int64
    var app: Int64
    var environment: MerchantEnvironment
    var productID: String
    /// A UUID that follows from the campaign and the product: a repetition is the same request
    /// (CMP-20).
    var requestIdentifier: String
    /// When it was made for the first time; nil before.
    var asked: Instant?
    /// When the store took it.
    var accepted: Instant?
    /// When the store was done with it, or refused it for good.
    var completed: Instant?
    var succeeded: Int64?
    var failed: Int64?
    /// How often it was made in vain, or looked at since the store took it.
    var attempts: Int64
    var nextLook: Instant
    /// Whether each of its subscriptions has a result.
    var isReconciled: Bool
    var problem: String?

    static let blank = OutageCall(
        campaign: 0, app: 0, environment: .production, productID: "", requestIdentifier: "",
        asked: nil, accepted: nil, completed: nil, succeeded: nil, failed: nil, attempts: 0,
        nextLook: Instant(milliseconds: 0), isReconciled: false, problem: nil)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("campaign", &campaign)
        try columns.column("app", &app)
        try columns.column("environment", &environment)
        try columns.column("product_id", &productID)
        try columns.column("request_identifier", &requestIdentifier)
        try columns.column("asked_at", &asked)
        try columns.column("accepted_at", &accepted)
        try columns.column("completed_at", &completed)
        try columns.column("succeeded", &succeeded)
        try columns.column("failed", &failed)
        try columns.column("attempts", &attempts)
        try columns.column("next_look", &nextLook)
        try columns.column("is_reconciled", &isReconciled)
        try columns.column("problem", &problem)
    }

    private static let register = Register<Self>(
        table: "outage_call", key: ["campaign", "environment", "product_id"])

    func save(_ session: any Session) throws(StorageError) {
        _ = try Self.register.take(self, session)
    }

    /// The calls of a campaign, in the order of their products.
    static func all(
        of campaign: Int64, _ session: any Session
    ) throws(StorageError) -> [OutageCall] {
        try register.records(
            where: "campaign = \(campaign) ORDER BY environment, product_id", session)
    }

    /// The call as it is now, locked: a notification may say that it is complete.
    func locked(_ session: any Session) throws(StorageError) -> OutageCall {
        let found = try Self.register.records(
            where: """
                campaign = \(campaign) AND environment = \(environment.rawValue)
                AND product_id = \(productID)\(raw: session.dialect.lockRow)
                """, session)
        guard let found = found.first else {
            throw StorageError(.other, "a call of an outage is not there")
        }
        return found
    }

    /// The calls that a campaign makes: none where it extends its subscribers one by one.
    static func planned(
        _ campaign: OutageCampaign, in row: CampaignRow, at now: Instant
    ) -> [OutageCall] {
        guard campaign.isMass else { return [] }
        var calls: [OutageCall] = []
        for environment in MerchantEnvironment.allCases
        where campaign.environments.contains(CampaignSubscriber.Environment(environment)) {
            for product in campaign.products.sorted() {
                var call = OutageCall.blank
                call.campaign = row.id
                call.app = row.app
                call.environment = environment
                call.productID = product
                call.requestIdentifier = DerivedUUID.text(
                    seed: "outage \(campaign.bundleID) \(environment.name) \(campaign.name)",
                    purpose: "mass \(product)", number: Int64(campaign.grantedDays))
                call.nextLook = now
                calls.append(call)
            }
        }
        return calls
    }

    /// Looks again later, each time later: after 5 seconds at first, and an hour at last.
    mutating func wait(from now: Instant, until named: Instant? = nil) {
        attempts += 1
        let pause = Span.backOff(after: attempts - 1, from: .seconds(5), upTo: .hours(1))
        nextLook = max(named ?? now, now + pause)
    }
}
