import MerchantRules
import Storage
import SubscriptionRules
import TimeAndChance

/// What happens to one subscriber of a price campaign in one transaction: the rules say what is to
/// be done, and here it becomes rows. Nothing is handed over before they are kept.
struct PriceStep {
    private let run: PriceRun
    private let member: AudienceMember
    private let subscriber: CampaignSubscriber

    init(_ run: PriceRun, _ member: AudienceMember, _ subscriber: CampaignSubscriber) {
        self.run = run
        self.member = member
        self.subscriber = subscriber
    }

    private var campaign: Int64 { run.row.id }
    private var now: Instant { run.now }

    /// Feeds events to the rules, and those that follow from what they ask for.
    func take(
        _ events: [CampaignEvent], _ record: inout PriceCampaignState, _ session: any Session
    ) throws {
        let before = CommunicationTimetable.Occasion.allCases.map { record.terms(about: $0) }
        var waiting = events[...]
        while let event = waiting.popFirst() {
            let actions = record.handle(event, at: now, of: run.campaign, for: subscriber)
            var following: [CampaignEvent] = []
            for action in actions {
                if let next = try carryOut(action, &record, session) { following.append(next) }
            }
            try note(event, record, session)
            waiting = ArraySlice(following + waiting)
        }
        guard record.isRunning else { return }
        for (occasion, old) in zip(CommunicationTimetable.Occasion.allCases, before) {
            let new = record.terms(about: occasion)
            guard old != nil, new != old else { continue }
            try renewSheet(occasion, new, session)
        }
    }

    /// What an event means for messages that are out.
    private func note(
        _ event: CampaignEvent, _ record: PriceCampaignState, _ session: any Session
    ) throws {
        switch event {
        case .acknowledged:
            try PriceMessageRow.answer(in: campaign, of: member.purchase, .notice, session)
        case .renewed, .recovered, .expired:
            if record.state == .applied {
                return try PriceMessageRow.drop(in: campaign, of: member.purchase, session)
            }
            guard record.isAskedNoMore(by: run.campaign) else { return }
            try PriceMessageRow.answer(in: campaign, of: member.purchase, .consent, session)
        default: break
        }
    }

    /// - Returns: what has come of it already.
    private func carryOut(
        _ action: CampaignAction, _ record: inout PriceCampaignState, _ session: any Session
    ) throws -> CampaignEvent? {
        switch action {
        case .send(let message): return try send(message, record, session)
        case .call(let skus):
            try call(skus, record, session)
        case .record(let answer):
            try prove(answer, record, session)
            try PriceMessageRow.answer(
                in: campaign, of: member.purchase, answer.occasion, session)
        case .cancelRenewal:
            try cancel(session)
        case .withdraw:
            try PriceMessageRow.drop(in: campaign, of: member.purchase, session)
            try run.dropCalls(of: &record, in: campaign, member.purchase, session)
        }
        return nil
    }

    // MARK: Messages

    /// Writes a message down. A sheet is published with that; a channel that does not reach the
    /// subscriber is said at once.
    private func send(
        _ message: CampaignMessage, _ record: PriceCampaignState, _ session: any Session
    ) throws -> CampaignEvent? {
        guard let terms = record.terms(about: message.occasion),
            subscriber.isReachable(by: message.channel)
        else { return .unreachable(message.occasion, message.channel) }
        let words = PriceWords(run.definition.texts, terms, for: subscriber)
        guard let (title, body) = words.words(on: message.channel) else {
            return .unreachable(message.occasion, message.channel)
        }
        let count = try PriceMessageRow.count(
            in: campaign, of: member.purchase, message, session)
        var row = PriceMessageRow.blank
        row.campaign = campaign
        row.purchase = member.purchase
        row.occasion = message.occasion
        row.channel = message.channel
        row.step = count + 1
        row.due = message.moment
        row.nextAttempt = now
        row.messageID = messageID(of: message.occasion, on: message.channel, row.step)
        row.locale = subscriber.locale
        row.say(title, body)
        guard message.channel == .sheet else {
            try row.insert(session)
            return nil
        }
        // Who has closed a request is not shown the next one before a week is over (ACC-12).
        let before = try PriceMessageRow.sheet(
            in: campaign, of: member.purchase, message.occasion, session)
        if let before, message.occasion != .notice {
            row.nextAttempt = max(now, before.nextAttempt)
        }
        try publish(row, session)
        return .sent(message.occasion, .sheet)
    }

    /// Publishes a sheet in place of the one before: of an occasion there is one at a time.
    private func publish(_ sheet: PriceMessageRow, _ session: any Session) throws {
        var row = sheet
        try PriceMessageRow.closeSheets(
            in: campaign, of: member.purchase, row.occasion, as: .dropped, session)
        row.state = .published
        row.sent = now
        try row.insert(session)
    }

    /// What a sheet in the app says has changed, as where an extension moved the date: another one
    /// takes its place, so that nobody agrees to words that do not hold (ACC-7). It asks no more
    /// often than the one before.
    private func renewSheet(
        _ occasion: CommunicationTimetable.Occasion, _ terms: CampaignSchedule.Terms?,
        _ session: any Session
    ) throws {
        guard let terms else {
            return try PriceMessageRow.closeSheets(
                in: campaign, of: member.purchase, occasion, as: .dropped, session)
        }
        let words = PriceWords(run.definition.texts, terms, for: subscriber).words(on: .sheet)
        let before = try PriceMessageRow.sheet(in: campaign, of: member.purchase, occasion, session)
        guard var row = before, row.state == .published, let (title, body) = words,
            title != row.title || body != row.body
        else { return }
        row.step += 1
        row.messageID = messageID(of: occasion, on: .sheet, row.step)
        row.say(title, body)
        try publish(row, session)
    }

    private func messageID(
        of occasion: CommunicationTimetable.Occasion, on channel: PriceMessage.Channel,
        _ step: Int64
    ) -> String {
        DerivedUUID.text(
            seed: seed, purpose: "\(occasion.rawValue) \(channel.rawValue)", number: step)
    }

    /// What identifiers of this subscriber's messages and calls follow from.
    private var seed: String {
        let place = "\(run.definition.bundleID)/\(run.definition.name)"
        // Each environment numbers its transactions itself.
        let number = "\(member.environment.name)/\(member.originalTransactionID)"
        return "\(place)/\(number)"
    }

    // MARK: Calls

    private func call(
        _ skus: [String], _ record: PriceCampaignState, _ session: any Session
    ) throws {
        guard let schedule = record.schedule else { return }
        let dependents = Dictionary(
            subscriber.items.map { ($0.sku, $0.dependents) },
            uniquingKeysWith: { first, _ in first })
        let prices = Dictionary(
            schedule.changes.map { ($0.sku, $0.newPrice) }, uniquingKeysWith: { first, _ in first })
        let items = skus.compactMap { sku in
            prices[sku].map {
                PriceCallRow.Item(sku: sku, price: $0, dependents: dependents[sku] ?? [])
            }
        }
        let planned = schedule.calls.first { $0.skus == skus }
        try insert(
            .changePrice, items, closes: planned?.closes, latest: planned?.latest ?? now, session)
    }

    private func cancel(_ session: any Session) throws {
        let renewal = subscriber.renews
        try insert(.cancel, [], closes: renewal, latest: renewal, session)
    }

    private func insert(
        _ kind: CampaignCallKind, _ items: [PriceCallRow.Item], closes: Instant?,
        latest: Instant, _ session: any Session
    ) throws {
        let count = try PriceCallRow.all(in: campaign, of: member.purchase, session).count
        var row = PriceCallRow.blank
        row.campaign = campaign
        row.purchase = member.purchase
        row.kind = kind
        row.items = try PriceCallRow.text(items)
        row.transactionID = subscriber.transactionID
        row.reference = DerivedUUID.text(
            seed: seed, purpose: "call", number: Int64(count) + 1)
        row.due = now
        row.nextAttempt = now
        row.closes = closes
        row.latest = latest
        try row.insert(session)
    }

    // MARK: Proof

    private func prove(
        _ answer: CampaignAnswer, _ record: PriceCampaignState, _ session: any Session
    ) throws {
        let sheet = try PriceMessageRow.sheet(
            in: campaign, of: member.purchase, answer.occasion, session)
        try PriceConsentRow.add(
            PriceConsentProof(
                campaign: run.definition.name,
                originalTransactionID: member.originalTransactionID, answer: answer,
                storefront: subscriber.storefront, currency: subscriber.currency.code,
                path: record.schedule?.path.rawValue ?? "", sheet: sheet,
                // The app does not say when it shows a sheet of the other question.
                shown: answer.occasion == .koreanConversion ? nil : record.seen),
            in: campaign, of: member.purchase, session)
    }
}

extension PriceCampaignState {
    /// Whether a request that is out is of no use any more. That nothing more is planned does not
    /// say so: the one request of a weekly plan goes out as its period begins.
    fileprivate func isAskedNoMore(by campaign: PriceCampaign) -> Bool {
        guard answer == nil, schedule?.path == .consent else { return true }
        return state == .carriedOver && campaign.whenSilent == .keepOldPrice
    }
}
