import AppStoreWire
import Logging
import Mail
import MerchantRules
import Push
import Storage
import SubscriptionRules
import Synchronization
import TimeAndChance

/// A message with where it goes to.
private struct Outgoing: Sendable {
    let row: PriceMessageRow
    /// Nil where nobody is known any more.
    let contact: AccountContact?
}

/// What came of handing a message over.
private enum Handover: Sendable {
    case sent
    case unreachable(String)
    case later(Span?, String)
}

extension Merchant {
    /// Hands over messages that are due, as many as the pace allows. What was found half done is
    /// handed over again, with the same identifier. A mail that the relay does not take waits, and
    /// with it the price (CMP-32).
    ///
    /// - Returns: how many were taken or refused. Where a relay takes nothing, the rest waits for
    ///   the next work instead of being tried all at once.
    func sendMessages(
        of row: CampaignRow, of app: ServedApp, _ definition: CampaignDefinition,
        under claim: WorkClaim
    ) async throws -> Int {
        guard case .price(let campaign) = definition.work else { return 0 }
        var count = 0
        for channel in [PriceMessage.Channel.mail, .push] {
            let now = try await now()
            let batch = try await database.write(.together) { session -> [Outgoing] in
                try claim.renew(session)
                guard let run = PriceRun(row, of: app, definition, at: now) else { return [] }
                return try Self.take(
                    channel, of: run, upTo: campaign.pace.messagesPerMinute, session)
            }
            let done = try await Parallel.map(batch, width: 8) { outgoing in
                let outcome = await self.handOver(outgoing, definition, at: now)
                try await self.keep(outcome, of: outgoing.row, row, app, definition, claim)
                if case .later = outcome { return false }
                return true
            }
            count += done.count { $0 }
        }
        return count
    }

    /// Takes the messages that are handed over next; they are `sending` from then on.
    private static func take(
        _ channel: PriceMessage.Channel, of run: PriceRun, upTo pace: Int, _ session: any Session
    ) throws -> [Outgoing] {
        let (campaign, now) = (run.row.id, run.now)
        let sent = try session.row(
            """
            SELECT COUNT(*) FROM campaign_message
            WHERE campaign = \(campaign) AND channel = \(channel.rawValue)
                AND sent_at > \(now - .minutes(1))
            """
        )?.int(0)
        let room = min(pace - (sent ?? 0), 50)
        guard room > 0 else { return [] }
        let rows = try PriceMessageRow.all(
            where: """
                campaign = \(campaign) AND state IN ('waiting', 'sending')
                    AND next_attempt <= \(now) AND channel = \(channel.rawValue)
                ORDER BY next_attempt, id LIMIT \(room)
                """, session)
        var outgoing: [Outgoing] = []
        for var row in rows {
            if row.attempts > 0, try !row.isWanted(session) {
                try row.end(.dropped, at: now, problem: row.problem, session)
                continue
            }
            guard try row.begin(session) else { continue }
            if channel == .mail, now > row.due + .days(1) { try run.rewrite(&row, session) }
            let account = try session.row(
                "SELECT account FROM purchase WHERE id = \(row.purchase)")?.integerOrNil(0)
            let contact = try account.map { id throws(StorageError) in
                try AccountContact.all(of: [id], session)[id]
            }
            outgoing.append(Outgoing(row: row, contact: contact ?? nil))
        }
        return outgoing
    }

    private func handOver(
        _ outgoing: Outgoing, _ definition: CampaignDefinition, at now: Instant
    ) async -> Handover {
        switch outgoing.row.channel {
        case .mail: return await mail(outgoing, definition)
        case .push:
            let outcome = await push(outgoing, definition)
            // Nobody is to hear after a week what was to be said then.
            guard case .later(_, let problem) = outcome, now >= Self.pushEnds(outgoing.row) else {
                return outcome
            }
            return .unreachable(problem)
        case .sheet: return .sent
        }
    }

    /// Until when a push is worth something.
    private static func pushEnds(_ row: PriceMessageRow) -> Instant { row.due + .days(7) }

    // MARK: Mail

    private func mail(_ outgoing: Outgoing, _ definition: CampaignDefinition) async -> Handover {
        guard let relay = campaignMeans.withLock({ $0.mail }) else {
            return .unreachable("no relay is configured")
        }
        guard let words = definition.texts.mail, let sender = EmailAddress(words.from),
            let recipient = outgoing.contact?.email.flatMap({ EmailAddress($0) })
        else { return .unreachable("there is no address") }
        let row = outgoing.row
        let message: [UInt8]
        do throws(MailError) {
            message = try Mail(
                from: Mail.Party(words.name, sender), to: Mail.Party(nil, recipient),
                subject: row.title, text: row.body, date: row.due,
                messageID: "\(row.messageID)@\(sender.domain)", language: row.language,
                fields: [Mail.Field("Auto-Submitted", "auto-generated")]
            ).message
        } catch {
            return .unreachable("it cannot be written as a mail: \(error)")
        }
        switch await relay.send(message, from: sender, to: recipient) {
        case .delivered: return .sent
        case .refused(let reply): return .unreachable("the relay refused it: \(reply.code)")
        case .postponed(let trouble), .unknown(let trouble):
            return .later(nil, "the relay has not taken it: \(Self.words(of: trouble))")
        }
    }

    /// What is kept of a trouble: a relay's own text may name the address, which is to go when
    /// the account is erased.
    private static func words(of trouble: RelayTrouble) -> String {
        if case .reply(let reply) = trouble { return "\(reply.code)" }
        return "\(trouble)"
    }

    // MARK: Push

    private func push(_ outgoing: Outgoing, _ definition: CampaignDefinition) async -> Handover {
        let services = campaignMeans.withLock { $0.push }
        guard !services.isEmpty else { return .unreachable("no push service is configured") }
        var outcome = Handover.unreachable("there is no device")
        for device in outgoing.contact?.pushTokens ?? [] {
            guard let service = services[device.environment],
                let token = DeviceToken(device.token),
                let push = Self.push(outgoing.row, to: token, definition)
            else { continue }
            switch await service.send(push) {
            case .sent: outcome = .sent
            case .tokenGone(let since): await forget(device, of: outgoing, since: since)
            case .wrongDevice: break
            case .refused(let reply):
                // It would be refused again, however often it is handed over.
                guard case .unreachable = outcome else { break }
                outcome = .unreachable("APNs refuses it: \(reply.status) \(reply.reason)")
            case .notConfigured(let reply):
                if case .sent = outcome { break }
                outcome = .later(
                    .hours(1), "APNs takes nothing: \(reply.status) \(reply.reason)")
            case .retry(let pause, let trouble):
                if case .sent = outcome { break }
                let seconds = Int(pause.components.seconds)
                outcome = .later(seconds > 0 ? .seconds(seconds) : nil, "APNs: \(trouble)")
            }
        }
        return outcome
    }

    /// The app is gone from a device, unless it has registered there again.
    private func forget(_ device: PushToken, of outgoing: Outgoing, since: Instant?) async {
        if let since, let set = outgoing.contact?.since, set > since { return }
        let purchase = outgoing.row.purchase
        do {
            try await database.write(.together) { session in
                try session.execute(
                    """
                    DELETE FROM account_device WHERE token = \(device.token)
                        AND account = (SELECT account FROM purchase WHERE id = \(purchase))
                    """)
            }
        } catch {
            // The next push says it again.
            log.warning("a device that is gone was not removed", metadata: ["error": "\(error)"])
        }
    }

    /// A push of a message to one of the subscriber's devices; nil where APNs would not take it.
    private static func push(
        _ row: PriceMessageRow, to token: DeviceToken, _ definition: CampaignDefinition
    ) -> Push? {
        var members: [String: JSONValue] = [:]
        if let link = definition.texts.push?.url { members["url"] = .string(link) }
        return try? Push(
            id: DerivedUUID.text(seed: row.messageID, purpose: token.text, number: 0), to: token,
            topic: definition.bundleID,
            .alert(PushAlert(title: row.title, body: row.body)),
            members: members,
            collapseID: "price-\(row.purchase)", expires: pushEnds(row))
    }

    // MARK: What came of it

    private func keep(
        _ outcome: Handover, of message: PriceMessageRow, _ row: CampaignRow, _ app: ServedApp,
        _ definition: CampaignDefinition, _ claim: WorkClaim
    ) async throws {
        switch outcome {
        case .sent:
            try await look(
                at: message.purchase, [.sent(message.occasion, message.channel)], of: row, of: app,
                definition, under: claim
            ) { session, now in
                try message.end(.sent, at: now, session)
            }
        case .unreachable(let problem):
            try await look(
                at: message.purchase, [.unreachable(message.occasion, message.channel)], of: row,
                of: app, definition, under: claim
            ) { session, now in
                try message.end(.unreachable, at: now, problem: problem, session)
            }
        case .later(let pause, let problem):
            let now = try await now()
            let usual = Span.backOff(
                after: message.attempts, from: .minutes(5), upTo: .hours(6))
            let next = now + (pause.map { max($0, usual) } ?? usual)
            try await database.write(.together) { session in
                try claim.renew(session)
                try message.end(.waiting, at: now, next: next, problem: problem, session)
            }
        }
    }
}
