import MerchantRules
import SubscriptionRules

/// Reads `2026-03-15` or `2026-03-15 09:30`, in UTC.
func moment(_ text: String) -> Instant { Instant(plainText: text)! }

/// The shortest text that `moment` reads back.
func text(_ instant: Instant) -> String {
    let text = instant.plainText
    return text.hasSuffix(" 00:00") ? String(text.dropLast(6)) : text
}

/// Campaigns and subscribers that tests vary.
enum Sample {
    static let dollars = Currency(code: "USD")!

    static func item(
        _ sku: String, _ price: Int64, offer: AppliedOffer? = nil, increased: String? = nil,
        ends: [String] = []
    ) -> CampaignSubscriber.Item {
        CampaignSubscriber.Item(
            sku: sku, price: price, offer: offer, lastIncrease: increased.map { moment($0) },
            dependents: ends)
    }

    /// A subscriber who can be reached on every channel.
    static func subscriber(
        _ id: String = "1", _ items: [CampaignSubscriber.Item] = [item("news", 10_000)],
        _ period: CalendarPeriod = .month, from start: String = "2026-02-15",
        to end: String = "2026-03-15", storefront: String = "USA", currency: Currency = dollars
    ) -> CampaignSubscriber {
        CampaignSubscriber(
            originalTransactionID: id, transactionID: id, account: "account \(id)",
            storefront: storefront, currency: currency, productID: "generic", items: items,
            isAdvancedCommerce: true, period: period, purchased: moment(start),
            periodStart: moment(start), renews: moment(end), email: "\(id)@example.com",
            pushTokens: ["token \(id)"])
    }

    /// A campaign that sets the prices of items in one storefront.
    static func campaign(
        _ prices: [String: Int64] = ["news": 15_010],
        _ route: PriceChangeRoute = .merchantManaged, live: String = "2026-02-15",
        in storefront: String = "USA"
    ) -> PriceCampaign {
        PriceCampaign(
            name: "spring", bundleID: "com.example.news", route: route,
            targets: prices.mapValues { [storefront: $0] }, direction: .both, live: moment(live))
    }

    static func trial(_ period: CalendarPeriod) -> AppliedOffer {
        AppliedOffer(
            kind: .introductory, id: "", mode: .freeTrial, period: period, wholePeriod: period,
            price: 0, periodsLeft: 0)
    }
}

extension CampaignSchedule {
    /// The moments of an occasion on a channel.
    func sends(
        _ occasion: CommunicationTimetable.Occasion, _ channel: PriceMessage.Channel
    ) -> [String] {
        messages.filter { $0.occasion == occasion && $0.channel == channel }
            .map { text($0.moment) }
    }
}

/// One subscriber in a campaign, with a relay that takes every message at once.
struct Story {
    var campaign: PriceCampaign
    var subscriber: CampaignSubscriber
    var record: PriceCampaignState
    var now: Instant
    /// What was sent, as `2026-02-16 mail`.
    var sent: [String] = []
    var calls: [[String]] = []
    var answers: [CampaignAnswer] = []
    /// When consent was asked for, by channel.
    var asked: [PriceMessage.Channel: [Instant]] = [:]
    /// Calls that rest on consent which is not there.
    var faults: [String] = []
    /// Channels that take nothing.
    var silent: Set<PriceMessage.Channel> = []

    init(
        _ campaign: PriceCampaign = Sample.campaign(),
        _ subscriber: CampaignSubscriber = Sample.subscriber(), at start: String = "2026-02-15"
    ) {
        self.campaign = campaign
        self.subscriber = subscriber
        now = moment(start)
        record = campaign.begin(for: subscriber, at: now)
    }

    var code: SubscriberState.Code { record.state.code }

    @discardableResult
    mutating func happens(_ event: CampaignEvent) -> [CampaignAction] {
        let actions = record.handle(event, at: now, of: campaign, for: subscriber)
        for action in actions {
            switch action {
            case .send(let message):
                guard !silent.contains(message.channel) else { continue }
                sent.append("\(text(now)) \(message.channel.rawValue)")
                if message.occasion == .consent { asked[message.channel, default: []].append(now) }
                happens(.sent(message.occasion, message.channel))
            case .call(let skus):
                calls.append(skus)
                let call = record.schedule?.calls.first { $0.skus == skus }
                if call?.needsConsent == true, record.answer?.isAgreed != true {
                    faults.append("\(text(now)) \(skus)")
                }
            case .record(let answer): answers.append(answer)
            case .cancelRenewal, .withdraw: break
            }
        }
        return actions
    }

    /// Lets everything happen that is due by a moment.
    mutating func goes(to end: String) { goes(until: moment(end)) }

    mutating func goes(until end: Instant) {
        for _ in 0..<1000 {
            guard let next = record.nextMoment, next <= end else { break }
            now = max(now, next)
            happens(.momentReached)
        }
        now = max(now, end)
    }

    /// A renewal at the end of the period, for a month.
    mutating func renews(at price: Int64, until end: String) {
        subscriber.periodStart = subscriber.renews
        subscriber.renews = moment(end)
        if subscriber.items.count == 1 { subscriber.items[0].price = price }
        happens(.renewed(price: price))
    }
}
