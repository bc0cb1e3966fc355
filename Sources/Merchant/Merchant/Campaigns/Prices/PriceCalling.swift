import AppStoreWire
import MerchantRules
import ServerAPIClient
import Storage
import SubscriptionRules

/// A call with what its request names besides the items.
private struct OutgoingCall: Sendable {
    let row: PriceCallRow
    let environment: MerchantEnvironment
    let storefront: String?
    let currency: String?
}

/// What came of a call.
private enum CallAnswer: Sendable {
    case accepted
    case failed(code: Int64, isRetryable: Bool, String)
    /// The store has not judged it, as far as is known: the same request is sent again.
    case again(Instant?, String, isUntouched: Bool = false)
}

extension Merchant {
    /// Makes the calls that are due, as many as the pace allows. One that had no answer is repeated
    /// with the same reference, and the store does nothing twice (ACP-9, CMP-30).
    ///
    /// - Returns: how many the store has judged. Where it takes none, the rest waits for the next
    ///   work instead of being tried all at once.
    func makeCalls(
        of row: CampaignRow, of app: ServedApp, _ definition: CampaignDefinition,
        under claim: WorkClaim
    ) async throws -> Int {
        guard case .price(let campaign) = definition.work else { return 0 }
        let now = try await now()
        let batch = try await database.write(.together) { session in
            try claim.renew(session)
            return try Self.takeCalls(
                of: row.id, upTo: campaign.pace.callsPerSecond, at: now, session)
        }
        let done = try await Parallel.map(batch, width: Self.callsAtOnce) { outgoing in
            let answer = try await self.ask(outgoing, of: app, at: now)
            try await self.keep(answer, of: outgoing.row, row, app, definition, claim)
            if case .again = answer { return false }
            return true
        }
        return done.count { $0 }
    }

    /// Those with the least time first: read in that order, past the few that were tried before and
    /// wait, where the plus keeps SQLite from taking the index of what is due and sorting it all.
    private static func takeCalls(
        of campaign: Int64, upTo pace: Int, at now: Instant, _ session: any Session
    ) throws(StorageError) -> [OutgoingCall] {
        let answered = try session.row(
            """
            SELECT COUNT(*) FROM campaign_call
            WHERE campaign = \(campaign) AND answered_at > \(now - .seconds(1))
            """
        )?.int(0)
        let room = pace - (answered ?? 0)
        guard room > 0 else { return [] }
        let rows = try PriceCallRow.all(
            where: """
                campaign = \(campaign) AND state IN ('waiting', 'sending')
                    AND +next_attempt <= \(now)
                ORDER BY latest_at, id LIMIT \(room)
                """, session)
        var calls: [OutgoingCall] = []
        for row in rows {
            let found = try session.row(
                """
                SELECT p.environment, s.storefront, s.currency FROM purchase p
                JOIN price_subscriber s ON s.purchase = p.id AND s.campaign = \(campaign)
                WHERE p.id = \(row.purchase)
                """)
            guard let found,
                let environment = MerchantEnvironment(rawValue: try found.integer(0))
            else { throw StorageError(.corrupt, "a call of a campaign is for nobody") }
            guard try row.begin(session) else { continue }
            calls.append(
                OutgoingCall(
                    row: row, environment: environment, storefront: try found.textOrNil(1),
                    currency: try found.textOrNil(2)))
        }
        return calls
    }

    // MARK: Asking

    private func ask(
        _ call: OutgoingCall, of app: ServedApp, at now: Instant
    ) async throws -> CallAnswer {
        if let closes = call.row.closes, now > closes, call.row.attempts == 0 {
            // For the renewal that is meant it is too late: the rules say what follows. One that
            // had no answer is repeated still, for the store may have taken it.
            return .failed(code: 0, isRetryable: true, "its window is over")
        }
        let place = lookPlaces().first {
            $0.app.id == app.id && $0.environment == call.environment
        }
        guard let place else {
            return .again(
                now + .hours(1), "the configuration does not say where the store answers")
        }
        let changes = try call.row.changes
        do throws(ServerAPIError) {
            let client = try client(of: place)
            let info = AdvancedCommerceRequestInfo(requestReferenceId: call.row.reference)
            switch call.row.kind {
            case .changePrice:
                let items = changes.map { item in
                    AdvancedCommerceSubscriptionPriceChangeItem(
                        sku: item.sku, price: item.price,
                        dependentSKUs: item.dependents.isEmpty ? nil : item.dependents)
                }
                try await client.changePrices(
                    AdvancedCommerceSubscriptionPriceChangeRequest(
                        requestInfo: info, currency: call.currency, storefront: call.storefront,
                        items: items), of: call.row.transactionID)
            case .cancel:
                try await client.cancel(
                    AdvancedCommerceSubscriptionCancelRequest(
                        requestInfo: info, storefront: call.storefront),
                    of: call.row.transactionID)
            }
            return .accepted
        } catch {
            return Self.answer(error, isRepeated: call.row.attempts > 0)
        }
    }

    private static func answer(_ error: ServerAPIError, isRepeated: Bool) -> CallAnswer {
        let words = "\(error)"
        switch error.kind {
        case .timedOut, .connectionLost, .cancelled, .unusableRequest: return .again(nil, words)
        // It was done, and what was said of it is not needed.
        case .unreadableReply: return .accepted
        case .refused: break
        }
        let code = error.errorCode ?? Int64(error.status ?? 0)
        if isRepeated, code == APIError.AdvancedCommerce.repeatedRequestReferenceId.code {
            return .accepted
        }
        // A token, a limit or a fault of the store's says nothing about the request.
        let status = error.status ?? 0
        if status == 401 || status == 429 {
            return .again(error.retryAfter, words, isUntouched: true)
        }
        if status >= 500 { return .again(error.retryAfter, words) }
        return .failed(code: code, isRetryable: error.canBeRetried, words)
    }

    // MARK: What came of it

    private func keep(
        _ answer: CallAnswer, of call: PriceCallRow, _ row: CampaignRow, _ app: ServedApp,
        _ definition: CampaignDefinition, _ claim: WorkClaim
    ) async throws {
        let skus = try call.changes.map(\.sku)
        let isPrice = call.kind == .changePrice
        switch answer {
        case .accepted:
            try await look(
                at: call.purchase, isPrice ? [.callSucceeded(skus: skus)] : [], of: row, of: app,
                definition, under: claim
            ) { session, now in
                try call.end(.accepted, at: now, session)
            }
        case .failed(let code, let isRetryable, let problem):
            let event = CampaignEvent.callFailed(
                skus: skus, code: Int(code), isRetryable: isRetryable)
            try await look(
                at: call.purchase, isPrice ? [event] : [], of: row, of: app, definition,
                under: claim
            ) { session, now in
                try call.end(.failed, at: now, code: code, problem: problem, session)
            }
        case .again(let moment, let problem, let isUntouched):
            let now = try await now()
            let usual =
                now + .backOff(after: call.attempts, from: .minutes(5), upTo: .hours(6))
            let next = moment.map { max($0, usual) } ?? usual
            try await database.write(.together) { session in
                try claim.renew(session)
                try call.end(.waiting, at: now, next: next, problem: problem, session)
                if isUntouched {
                    try call.forgetAttempts(session)
                    try PriceRun(row, of: app, definition, at: now)?
                        .dropUnwantedCalls(of: call.purchase, session)
                }
            }
        }
    }
}
