import SubscriptionRules

/// The subscriber, the store and the merchant of a rehearsal.
struct CampaignStage {
    private let campaign: PriceCampaign
    private let answers: RehearsedAnswers
    private let targets: [String: Int64]
    private var subscriber: CampaignSubscriber
    private var now: Instant
    /// What the subscriber will do, and when.
    private var intentions: [(moment: Instant, events: [CampaignEvent])] = []
    private(set) var record: PriceCampaignState
    private(set) var steps: [CampaignRehearsal.Step] = []
    private(set) var bills: [CampaignRehearsal.Bill] = []
    /// Whether the store has ended the subscription.
    private var isEnded = false

    /// What a period costs by now, offers aside; nil where there is no other one.
    var price: Int64? {
        isEnded || subscriber.expectation == .willNotRenew ? nil : subscriber.price
    }

    /// More moments than any campaign has: a weekly plan that is asked for years.
    private static let mostMoments = 10_000

    init(
        _ campaign: PriceCampaign, _ subscriber: CampaignSubscriber, _ answers: RehearsedAnswers,
        at now: Instant
    ) {
        self.campaign = campaign
        self.subscriber = subscriber
        self.answers = answers
        self.now = now
        record = campaign.begin(for: subscriber, at: now)
        targets = (try? campaign.newPrices(for: subscriber)) ?? [:]
    }

    /// Goes from moment to moment. Of what comes at one moment messages and calls are first, then
    /// what the subscriber does, then the renewal.
    mutating func play() {
        for _ in 0..<Self.mostMoments {
            guard record.isRunning else { return }
            let work = record.nextMoment.map { max($0, now) }
            let intention = intentions.map(\.moment).min()
            let next = [work, intention, subscriber.renews].compactMap(\.self).min()
            guard let next, next < .latest else { return }
            now = max(now, next)
            if work == next {
                happen(.momentReached)
            } else if intention == next {
                act()
            } else if renew() {
                return
            }
        }
    }

    // MARK: - The merchant

    /// Feeds an event, and carries out at once what it asks for.
    private mutating func happen(_ event: CampaignEvent) {
        steps.append(.init(moment: now, happening: .event(event)))
        let told = toldOccasions
        let actions = record.handle(event, at: now, of: campaign, for: subscriber)
        for action in actions {
            steps.append(.init(moment: now, happening: .action(action)))
        }
        let news = toldOccasions.subtracting(told)
        for occasion in CommunicationTimetable.Occasion.allCases where news.contains(occasion) {
            intend(occasion)
        }
        for action in actions {
            switch action {
            case .send(let message): happen(.sent(message.occasion, message.channel))
            case .call(let skus): happen(.callSucceeded(skus: skus))
            case .cancelRenewal: subscriber.expectation = .willNotRenew
            case .record, .withdraw: break
            }
        }
    }

    // MARK: - The subscriber

    private var toldOccasions: Set<CommunicationTimetable.Occasion> {
        let told = record.contacts.filter { $0.first != nil || $0.requested != nil }
        return Set(told.map(\.occasion))
    }

    /// Plans what the subscriber does about something that was told for the first time.
    private mutating func intend(_ occasion: CommunicationTimetable.Occasion) {
        let name = subscriber.originalTransactionID
        let events = answers.reaction(of: name, to: occasion)
        guard !events.isEmpty else { return }
        let moment = now + answers.delay(of: name, tempo: subscriber.tempo)
        intentions.append((moment, events))
    }

    private mutating func act() {
        guard let index = intentions.firstIndex(where: { $0.moment <= now }) else { return }
        for event in intentions.remove(at: index).events {
            if event == .renewalTurnedOff { subscriber.expectation = .willNotRenew }
            happen(event)
        }
    }

    // MARK: - The store

    /// The next renewal.
    ///
    /// - Returns: whether nothing more is to come.
    private mutating func renew() -> Bool {
        let lapsed = lapsedItems
        let isEnd = now >= record.schedule?.lastRenewal ?? now
        let end = endOfNextPeriod
        if subscriber.expectation == .willNotRenew || lapsed.count == subscriber.items.count {
            isEnded = true
            happen(.expired(forLackOfConsent: !lapsed.isEmpty))
            return true
        }
        subscriber.items.removeAll { lapsed.contains($0.sku) }
        var amount: Int64 = 0
        for index in subscriber.items.indices { amount += charge(index) }
        bills.append(.init(moment: now, amount: amount))
        (subscriber.periodStart, subscriber.renews) = (now, end)
        if lapsed.isEmpty {
            happen(.renewed(price: subscriber.price))
        } else {
            happen(.expired(forLackOfConsent: true))
        }
        // Who has agreed too late pays the new price at a later renewal.
        return isEnd && record.answer?.isAgreed != true
    }

    /// Charges for an item.
    ///
    /// - Returns: the amount, which an offer makes lower.
    private mutating func charge(_ index: Int) -> Int64 {
        let item = subscriber.items[index]
        let next = item.offer?.next
        if let new = targets[item.sku], new != item.price, isRaised(item) {
            if new > item.price { subscriber.items[index].lastIncrease = now }
            subscriber.items[index].price = new
        }
        subscriber.items[index].offer = next
        return next?.price ?? subscriber.items[index].price
    }

    /// Whether the store charges the new price of an item from now on.
    private func isRaised(_ item: CampaignSubscriber.Item) -> Bool {
        guard let schedule = record.schedule else { return false }
        guard campaign.isToldByMerchant else { return now >= renewal(of: item) }
        return schedule.calls.contains {
            $0.isAccepted && $0.skus.contains(item.sku) && now >= $0.renewal
        }
    }

    /// When an item is the first to charge its new price, where the store tells of it.
    private func renewal(of item: CampaignSubscriber.Item) -> Instant {
        record.schedule?.changes.first { $0.sku == item.sku }?.renewal ?? .latest
    }

    /// The items that end with this renewal, since consent is missing: where the store asks, and at
    /// the end of an offer in Korea (ACS-2, KOR-5).
    private var lapsedItems: Set<String> {
        guard let schedule = record.schedule else { return [] }
        var lapsed: Set<String> = []
        if !campaign.isToldByMerchant, record.answer?.isAgreed != true {
            let due = subscriber.items.filter {
                schedule.askedSKUs.contains($0.sku) && now >= renewal(of: $0)
            }
            lapsed.formUnion(due.flatMap { [$0.sku] + $0.dependents })
        }
        // Where the merchant asks, it has turned renewal off by now, and the store ends nothing.
        if let conversion = schedule.conversion, !campaign.isToldByMerchant,
            now >= conversion.moment, record.conversionAnswer?.isAgreed != true
        {
            lapsed.formUnion(conversion.skus)
        }
        return lapsed.intersection(subscriber.items.map(\.sku))
    }

    /// When the period ends that the renewal opens.
    private var endOfNextPeriod: Instant {
        let outlook = subscriber.outlook(of: subscriber.items[0])
        return outlook.renewals.dropFirst().first { _ in true }?.moment ?? .latest
    }
}
