import AppStoreWire
import ConnectAnswers
import Merchant
import MerchantRules
import SubscriptionRules

/// The customers of a rehearsal. Each answers what it is told as the seed says, in the app where
/// the merchant asks and at the store where that asks.
struct RehearsedCustomers: Sendable {
    let answers: RehearsedAnswers
    let campaign: PriceCampaign
    let stage: RehearsalStage
    /// When the campaign began: what the store had told before is no news.
    let start: Instant
    /// What customers are about to do.
    private var intentions: [Question: Intention] = [:]
    private var answered: Set<Question> = []
    /// Messages, and notifications of the store, that were heard of.
    private var heard: Set<Int64> = []
    /// All messages up to this one were heard of.
    private var last: Int64 = 0

    /// What one of them was told or asked.
    private struct Question: Hashable {
        let purchase: String
        let occasion: CommunicationTimetable.Occasion
    }

    private struct Intention {
        let moment: Instant
        /// Nil where nobody has the purchase at the merchant.
        let account: String?
        let events: [CampaignEvent]
    }

    init(
        _ answers: RehearsedAnswers, of campaign: PriceCampaign, on stage: RehearsalStage,
        since start: Instant
    ) {
        self.answers = answers
        self.campaign = campaign
        self.stage = stage
        self.start = start
    }

    /// When the next of them answers. What is past waits until the sheet is there.
    func nextMoment(after now: Instant) -> Instant? {
        intentions.values.map(\.moment).filter { $0 > now }.min()
    }

    /// Hears what was said since.
    mutating func listen() async throws {
        if campaign.isToldByMerchant { try await readMessages() } else { try await readStore() }
    }

    /// Answers what is due.
    ///
    /// - Returns: whether anybody did something.
    mutating func act(at now: Instant) async throws -> Bool {
        let due = intentions.filter { $0.value.moment <= now }.sorted {
            ($0.value.moment, $0.key.purchase) < ($1.value.moment, $1.key.purchase)
        }
        var isDone = false
        for (question, intention) in due {
            guard try await act(question, intention) else { continue }
            intentions[question] = nil
            answered.insert(question)
            isDone = true
        }
        return isDone
    }

    // MARK: Hearing

    private mutating func readMessages() async throws {
        var after = last
        var isComplete = true
        while true {
            let page = try await stage.merchant.campaignMessages(
                campaign.name, of: campaign.bundleID, after: after, limit: 500)
            for message in page {
                after = message.id
                // What waits for its turn is looked at again.
                if message.state == .waiting || message.state == .sending { isComplete = false }
                if isComplete { last = message.id }
                guard let sent = message.sent, heard.insert(message.id).inserted,
                    let occasion = CommunicationTimetable.Occasion(rawValue: message.occasion)
                else { continue }
                let question = Question(
                    purchase: message.originalTransactionID, occasion: occasion)
                // Whom a sheet asks again has to answer again.
                let isAgain = message.channel == PriceMessage.Channel.sheet.rawValue
                hear(question, at: sent, account: message.account, isAgain: isAgain)
            }
            if page.count < 500 { return }
        }
    }

    private mutating func readStore() async throws {
        var before: Int64?
        while true {
            let page = try await stage.store.get(
                StorePath("connect", "v1", "notifications")
                    .with("bundleId", campaign.bundleID)
                    .with("notificationType", "PRICE_INCREASE")
                    .with("limit", "200").with("before", before.map { String($0) }))
            let found = try page.list("notifications")
            for notification in found {
                let moment = try notification.moment("created")
                guard moment >= start, heard.insert(try notification.integer("id")).inserted,
                    let purchase = notification.optionalText("originalTransactionId")
                else { return }
                let asked = Question(purchase: purchase, occasion: .consent)
                if notification.optionalText("subtype") == "PENDING" {
                    hear(asked, at: moment, account: nil, isAgain: true)
                } else if !answered.contains(asked) {
                    hear(
                        Question(purchase: purchase, occasion: .notice), at: moment, account: nil,
                        isAgain: false)
                }
            }
            guard try page.bool("hasMore"), let end = found.last else { return }
            before = try end.integer("id")
        }
    }

    private mutating func hear(
        _ question: Question, at moment: Instant, account: String?, isAgain: Bool
    ) {
        guard intentions[question] == nil, isAgain || !answered.contains(question) else { return }
        let events = answers.reaction(of: question.purchase, to: question.occasion)
        guard !events.isEmpty else { return }
        intentions[question] = Intention(
            moment: moment + answers.delay(of: question.purchase), account: account,
            events: events)
    }

    // MARK: Answering

    /// - Returns: whether it is done; not where there is no sheet yet to answer on.
    private func act(_ question: Question, _ intention: Intention) async throws -> Bool {
        if intention.events.contains(.renewalTurnedOff) {
            try await change(question.purchase, renewal: false, answer: nil)
            return true
        }
        if campaign.isToldByMerchant { return try await tap(question, intention) }
        for event in intention.events {
            switch event {
            case .agreed: try await change(question.purchase, renewal: nil, answer: "agree")
            case .declined: try await change(question.purchase, renewal: nil, answer: "decline")
            default: break
            }
        }
        return true
    }

    /// Does something at the store, as the customer does on the device. Whose subscription has
    /// ended meanwhile, or is no longer asked, does nothing.
    private func change(_ purchase: String, renewal: Bool?, answer: String?) async throws {
        do {
            _ = try await stage.store.change(purchase) { json in
                json.field("priceIncrease", answer)
                json.field("autoRenew", renewal)
            }
        } catch let failure as Failure
            where ["notActive", "noPriceIncrease"].contains(failure.refusal ?? "")
        {}
    }

    /// Shows the sheet and taps its button.
    private func tap(_ question: Question, _ intention: Intention) async throws -> Bool {
        guard let account = intention.account else { return true }
        let sheets = try await stage.merchant.sheets(of: account, in: campaign.bundleID)
        let sheet = sheets.first {
            $0.originalTransactionID == question.purchase
                && $0.occasion == question.occasion.rawValue
        }
        guard let sheet else { return false }
        for event in intention.events {
            guard let action = event.action, action == .shown || sheet.buttons.contains(action)
            else { continue }
            _ = try await stage.merchant.answer(
                action, sheet: sheet.id, of: account, in: campaign.bundleID)
        }
        return true
    }
}

extension CampaignEvent {
    /// What the customer taps with it; nil for what is done elsewhere.
    fileprivate var action: PriceSheet.Action? {
        switch self {
        case .seen: .shown
        case .acknowledged: .acknowledged
        case .agreed: .agree
        case .declined: .decline
        default: nil
        }
    }
}
