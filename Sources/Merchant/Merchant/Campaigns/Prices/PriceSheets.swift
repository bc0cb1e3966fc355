public import MerchantRules
import Storage
public import SubscriptionRules

/// What the app shows a customer about a price.
public struct PriceSheet: Hashable, Sendable {
    /// What the customer may do with a sheet: a closed list.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// It was on the screen.
        case shown
        case acknowledged
        case agree
        case decline
    }

    public let id: Int64
    public let originalTransactionID: String
    /// `notice`, `consent` or `koreanConversion`.
    public let occasion: String
    public let title: String
    public let body: String
    public let locale: String?
    public let items: [String]
    /// What a period costs now and from the date on, in milliunits.
    public let oldPrice: Int64
    public let newPrice: Int64
    public let currency: String
    /// The first renewal at the new price.
    public let renewal: Instant
    /// The last moment for an answer to count for it; nil where none is needed.
    public let answerBy: Instant?
    /// What follows where the customer says nothing (PI-13).
    public let withoutAnswer: Silence
    /// What it offers besides `shown`: its buttons, in order.
    public let buttons: [Action]
}

extension PriceSheet {
    fileprivate init?(
        _ row: PriceMessageRow, _ subscriber: PriceSubscriberRow, _ record: PriceCampaignState,
        _ originalTransactionID: String
    ) {
        guard let schedule = record.schedule, let terms = record.terms(about: row.occasion) else {
            return nil
        }
        id = row.id
        self.originalTransactionID = originalTransactionID
        occasion = row.occasion.rawValue
        title = row.title
        body = row.body
        locale = row.locale
        oldPrice = terms.oldPrice
        newPrice = terms.newPrice
        renewal = terms.renewal
        currency = subscriber.currency ?? ""
        withoutAnswer = row.occasion.silence
        switch row.occasion {
        case .notice:
            items = schedule.changes.filter { !$0.needsConsent }.map(\.sku)
            answerBy = nil
            buttons = [.acknowledged]
        case .consent:
            items = schedule.askedSKUs
            answerBy = schedule.answerBy
            buttons = [.agree, .decline]
        case .koreanConversion:
            items = schedule.conversion?.skus ?? []
            answerBy = schedule.conversion?.closes
            buttons = [.agree, .decline]
        }
    }
}

extension Merchant {
    /// The sheets that the app shows to an account's customer, the oldest first. One that was on
    /// the screen is not shown again by itself: a request comes back after a week, a notice never
    /// (CMP-35, ACC-1, ACC-3).
    ///
    /// - Parameter withSeen: also those, for a customer who asks for them.
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func sheets(
        of account: String, in bundleID: String, withSeen: Bool = false
    ) async throws -> [PriceSheet] {
        let app = try app(bundleID)
        try AccountName.check(account)
        let moment: Instant? = try await withSeen ? nil : now()
        return try await database.read { session in
            guard let owner = try AccountRow.find(account, of: app.id, session) else { return [] }
            let purchases = try session.rows(
                "SELECT id FROM purchase WHERE account = \(owner.id) ORDER BY id"
            ).map { row throws(StorageError) in try row.integer(0) }
            return try Self.published(of: purchases, nil, shownBy: moment, session).map(\.sheet)
        }
    }

    /// Takes what a customer did with a sheet. Consent is kept before anything rests on it.
    ///
    /// - Returns: the sheets that are left.
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`, `unknownSheet`,
    ///   `actionNotOffered`.
    public func answer(
        _ action: PriceSheet.Action, sheet id: Int64, of account: String, in bundleID: String
    ) async throws -> [PriceSheet] {
        let app = try app(bundleID)
        try AccountName.check(account)
        let found = try await database.read { session -> (CampaignRow, PublishedSheet)? in
            guard let owner = try AccountRow.find(account, of: app.id, session) else { return nil }
            let row = try PriceMessageRow.all(where: "id = \(id)", session).first
            guard let row,
                try session.exists(
                    """
                    SELECT 1 FROM purchase
                    WHERE id = \(row.purchase) AND account = \(owner.id)
                    """),
                let campaign = try CampaignRow.find(row.campaign, session),
                let sheet = try Self.published(of: [row.purchase], id, session).first
            else { return nil }
            return (campaign, sheet)
        }
        guard let (campaign, published) = found else { throw MerchantError.unknownSheet(id) }
        let offered = published.sheet.buttons
        guard action == .shown || offered.contains(action) else {
            throw MerchantError.actionNotOffered(["shown"] + offered.map(\.rawValue))
        }
        let definition = try self.definition(of: campaign)
        let now = try await now()
        let event = Self.event(action, published.occasion)
        try await database.write(.together) { session in
            // It may have been answered meanwhile, on another device.
            let current = try Self.published(of: [published.purchase], id, session)
            guard !current.isEmpty,
                let run = PriceRun(campaign, of: app, definition, at: now)
            else { throw MerchantError.unknownSheet(id) }
            if action == .shown {
                let end = try run.endOfWeek(of: published.purchase, session)
                try PriceMessageRow.hide(
                    id, until: published.occasion == .notice ? .latest : end, session)
            }
            try run.look(at: published.purchase, [event], session)
        }
        return try await sheets(of: account, in: bundleID)
    }

    private static func event(
        _ action: PriceSheet.Action, _ occasion: CommunicationTimetable.Occasion
    ) -> CampaignEvent {
        switch action {
        case .shown: .seen(occasion)
        case .acknowledged: .acknowledged
        case .agree: .agreed(occasion)
        case .decline: .declined(occasion)
        }
    }

    /// A sheet with whose it is.
    private struct PublishedSheet: Sendable {
        let purchase: Int64
        let occasion: CommunicationTimetable.Occasion
        let sheet: PriceSheet
    }

    /// The sheets of some purchases that may be shown.
    ///
    /// - Parameters:
    ///   - id: this one alone; nil for all.
    ///   - now: only those that the app shows by itself at this moment; nil for all.
    private static func published(
        of purchases: [Int64], _ id: Int64?, shownBy now: Instant? = nil, _ session: any Session
    ) throws(StorageError) -> [PublishedSheet] {
        var condition: SQL = """
            purchase IN (\(list: purchases))
                AND state = \(CampaignMessageState.published.rawValue)
            """
        if let id { condition += " AND id = \(id)" }
        if let now { condition += " AND next_attempt <= \(now)" }
        var sheets: [PublishedSheet] = []
        for row in try PriceMessageRow.all(where: condition + " ORDER BY id", session) {
            let subscriber = try PriceSubscriberRow.all(
                where: "campaign = \(row.campaign) AND purchase = \(row.purchase)", session
            ).first
            let names = try purchaseNames([row.purchase], session)
            guard let subscriber,
                let sheet = PriceSheet(
                    row, subscriber, try PriceStateText.record(of: subscriber),
                    names[row.purchase]?.0 ?? "")
            else { continue }
            sheets.append(
                PublishedSheet(purchase: row.purchase, occasion: row.occasion, sheet: sheet))
        }
        return sheets
    }
}
