import MerchantRules
import SubscriptionRules

/// What goes wrong with the ways to a subscriber.
enum ChannelTrouble: String, CaseIterable, Sendable {
    case nothing
    /// The relay takes nothing for two days, from the first mail on.
    case relayDown
    /// The push service knows none of the tokens any more.
    case tokensGone
    case appNeverOpened
    /// The relay refuses the address for good.
    case addressGone
}

/// A mistake planted between the rules of campaigns and the world.
enum PlantedCampaignFault: String, CaseIterable, Sendable {
    /// A mail that the relay has not taken yet counts as sent.
    case lateMailCounts
    /// Who has looked at the sheet has agreed.
    case seeingIsAgreeing
    /// Both buttons of the sheet do the same.
    case refusingIsAgreeing
    /// The registers lose when a price rose last.
    case increaseIsForgotten
    /// Nobody hears of failed renewals.
    case failureIsForgotten
    /// The storefront is guessed from the currency, and wrong.
    case storefrontIsGuessed
    /// A request is handed over again a day later.
    case requestIsRepeated
}

/// One subscriber in a price campaign, told by the merchant: a relay, a push service, an app, a
/// customer and a store that charges as it was called. The judge sees all of it, the rules of
/// campaigns see what the registers say.
struct CampaignLife {
    /// What comes at a moment of its own.
    private enum Affair {
        case delivery(CampaignMessage)
        case repetition(CampaignMessage)
        case look(CommunicationTimetable.Occasion)
        case answer(isAgreed: Bool)
        case turnOff, turnOn, extend, failNext, recover
    }

    let campaign: PriceCampaign
    let trouble: ChannelTrouble
    let fault: PlantedCampaignFault?
    /// Whether the store and the customer do nothing of their own accord.
    let isCalm: Bool
    private(set) var subscriber: CampaignSubscriber
    private(set) var record: PriceCampaignState
    private(set) var judge: ChargeJudge
    private var now: Instant
    private var dice: Dice
    private var agenda: [(moment: Instant, affair: Affair)] = []
    private var relayIsBack: Instant?
    /// The prices that the store was called for, and when.
    private var calledFor: [String: (price: Int64, at: Instant)] = [:]
    private var failsNext = false
    private var isInRetry = false
    private var isOver = false

    init(
        _ campaign: PriceCampaign, _ subscriber: CampaignSubscriber, at now: Instant,
        trouble: ChannelTrouble = .nothing, fault: PlantedCampaignFault? = nil,
        isCalm: Bool = false, dice: Dice
    ) {
        self.campaign = campaign
        self.subscriber = subscriber
        self.now = now
        self.trouble = trouble
        self.fault = fault
        self.isCalm = isCalm
        self.dice = dice
        let items = subscriber.items.map { item in
            (
                item.sku,
                ChargeJudge.Item(
                    price: item.price, lastIncrease: item.lastIncrease?.milliseconds,
                    isInOffer: item.offer != nil)
            )
        }
        judge = ChargeJudge(
            storefront: subscriber.storefront, months: subscriber.period.months ?? 0,
            hasDevice: !subscriber.pushTokens.isEmpty,
            periodStart: subscriber.periodStart.milliseconds,
            items: Dictionary(items) { first, _ in first })
        record = campaign.begin(for: Self.known(subscriber, fault), at: now)
        if !isCalm { planAffairs() }
    }

    private mutating func planAffairs() {
        let affairs: [Affair] = [.turnOff, .turnOn, .extend, .failNext]
        for affair in affairs where dice.happens(oneIn: 4) {
            agenda.append((now + .hours(dice.below(24 * 100)), affair))
        }
    }

    /// The subscriber as the registers know it.
    private static func known(
        _ subscriber: CampaignSubscriber, _ fault: PlantedCampaignFault?
    ) -> CampaignSubscriber {
        var known = subscriber
        switch fault {
        case .storefrontIsGuessed: known.storefront = "USA"
        case .increaseIsForgotten:
            for index in known.items.indices { known.items[index].lastIncrease = nil }
        case .failureIsForgotten:
            known.status = .active
            if known.expectation != .willNotRenew { known.expectation = .renews }
        case .lateMailCounts, .seeingIsAgreeing, .refusingIsAgreeing, .requestIsRepeated, nil:
            break
        }
        return known
    }

    // MARK: - Time

    /// Lives on until a moment: what is due first comes first, a renewal after all else.
    mutating func live(until end: Instant) {
        for _ in 0..<3000 where !isOver {
            let work = record.nextMoment.map { max($0, now) }
            let place = agenda.indices.min { agenda[$0].moment < agenda[$1].moment }
            let affair = place.map { max(agenda[$0].moment, now) }
            let renewal = isInRetry ? nil : subscriber.renews
            guard let next = [work, affair, renewal].compactMap(\.self).min(), next <= end else {
                return
            }
            now = max(now, next)
            if work == next {
                happen(.momentReached)
            } else if let place, affair == next {
                meet(agenda.remove(at: place).affair)
            } else {
                renew()
            }
        }
    }

    private mutating func note(_ what: ChargeJudge.Happening) {
        judge.note(what, at: now.milliseconds)
    }

    private mutating func happen(_ event: CampaignEvent) {
        let actions = record.handle(
            event, at: now, of: campaign, for: Self.known(subscriber, fault))
        for action in actions {
            switch action {
            case .send(let message): handOver(message)
            case .call(let skus): call(skus)
            case .cancelRenewal: turnOff()
            case .withdraw: forget { _ in true }
            case .record: break
            }
        }
    }

    private mutating func meet(_ affair: Affair) {
        switch affair {
        case .delivery(let message): deliver(message)
        case .repetition(let message): if record.isRunning { tell(message) }
        case .look(let occasion): look(at: occasion)
        case .answer(let isAgreed): answer(isAgreed)
        case .turnOff: turnOff()
        case .turnOn: turnOn()
        case .extend:
            guard !isInRetry else { return }
            subscriber.renews = subscriber.renews + .days(5)
            happen(.periodMoved)
        case .failNext: failsNext = true
        case .recover: recover()
        }
    }

    // MARK: - Channels

    private mutating func handOver(_ message: CampaignMessage) {
        let isGone =
            message.channel == .mail && trouble == .addressGone
            || message.channel == .push && trouble == .tokensGone
        if isGone {
            note(.unreachable(message.channel == .mail ? .mail : .push))
            return happen(.unreachable(message.occasion, message.channel))
        }
        if message.channel == .mail, trouble == .relayDown {
            let back = relayIsBack ?? now + .days(2)
            relayIsBack = back
            if now < back {
                forget { $0.occasion == message.occasion }
                // It is tried again within six hours.
                agenda.append((back + .minutes(1 + dice.below(360)), .delivery(message)))
                if fault == .lateMailCounts { happen(.sent(message.occasion, .mail)) }
                return
            }
        }
        tell(message)
        happen(.sent(message.occasion, message.channel))
    }

    /// Drops mails that wait for the relay.
    private mutating func forget(_ isDropped: (CampaignMessage) -> Bool) {
        agenda.removeAll { entry in
            guard case .delivery(let message) = entry.affair else { return false }
            return isDropped(message)
        }
    }

    private mutating func deliver(_ message: CampaignMessage) {
        guard fault != .lateMailCounts else { return tell(message) }
        guard record.waits(for: message.occasion, on: .mail) else { return }
        tell(message)
        happen(.sent(message.occasion, .mail))
    }

    /// A message has reached the customer, who may do something about it.
    private mutating func tell(_ message: CampaignMessage) {
        let isRequest = message.occasion == .consent
        note(
            .told(
                isRequest ? .request : .notice, Self.channel(message.channel),
                prices: prices(of: message.skus)))
        if isRequest, fault == .requestIsRepeated {
            agenda.append((now + .days(1), .repetition(message)))
        }
        guard !isCalm else { return }
        let isShown = message.channel == .sheet && trouble != .appNeverOpened
        if isShown, dice.happens(oneIn: 2) {
            agenda.append((now + .hours(1 + dice.below(240)), .look(message.occasion)))
        }
        if isRequest, isShown || message.channel == .mail, dice.happens(oneIn: 2) {
            let isAgreed = dice.below(10) < 7
            agenda.append((now + .hours(1 + dice.below(150)), .answer(isAgreed: isAgreed)))
        }
    }

    private static func channel(_ channel: PriceMessage.Channel) -> ChargeJudge.Channel {
        switch channel {
        case .mail: .mail
        case .sheet: .sheet
        case .push: .push
        }
    }

    private func prices(of skus: [String]) -> [String: Int64] {
        var prices: [String: Int64] = [:]
        for sku in skus { prices[sku] = campaign.targets[sku]?[subscriber.storefront] }
        return prices
    }

    // MARK: - The customer

    private mutating func look(at occasion: CommunicationTimetable.Occasion) {
        note(.seen)
        happen(.seen(occasion))
        if fault == .seeingIsAgreeing { happen(.agreed(.consent)) }
        if dice.happens(oneIn: 2) { happen(.acknowledged) }
    }

    /// Taps a button of a request that is on the screen.
    private mutating func answer(_ isAgreed: Bool) {
        let asked = record.schedule?.askedSKUs ?? []
        let isOpen = record.contacts.contains {
            $0.occasion == .consent && ($0.first != nil || $0.requested != nil)
        }
        guard isOpen, !asked.isEmpty else { return }
        note(isAgreed ? .agreed(prices: prices(of: asked)) : .declined)
        let isTaken = isAgreed || fault == .refusingIsAgreeing
        happen(isTaken ? .agreed(.consent) : .declined(.consent))
    }

    private mutating func turnOff() {
        guard subscriber.expectation != .willNotRenew, !isInRetry else { return }
        subscriber.expectation = .willNotRenew
        note(.turnedOff)
        happen(.renewalTurnedOff)
    }

    private mutating func turnOn() {
        guard subscriber.expectation == .willNotRenew else { return }
        subscriber.expectation = .turnedOnAgain(at: now)
        note(.turnedOn)
        happen(.renewalTurnedOn)
    }

    // MARK: - The store

    private mutating func call(_ skus: [String]) {
        if !isCalm, dice.happens(oneIn: 8) {
            // No answer, or 429, or an error of the store's own: it is tried again.
            return happen(.callFailed(skus: skus, code: 5_000_000, isRetryable: true))
        }
        if !isCalm, dice.happens(oneIn: 40) {
            return happen(.callFailed(skus: skus, code: 4_030_000, isRetryable: false))
        }
        note(.called(skus))
        guard !isInRetry, subscriber.expectation != .willNotRenew else {
            return happen(.callFailed(skus: skus, code: 4_030_000, isRetryable: false))
        }
        for (sku, price) in prices(of: skus) { calledFor[sku] = (price, now) }
        happen(.callSucceeded(skus: skus))
    }

    private mutating func renew() {
        if subscriber.expectation == .willNotRenew {
            happen(.expired(forLackOfConsent: false))
            isOver = true
            return
        }
        if failsNext {
            failsNext = false
            isInRetry = true
            subscriber.expectation = .inBillingRetry
            subscriber.status = .billingRetry
            note(.failed)
            if fault != .failureIsForgotten { happen(.enteredRetry) }
            agenda.append((now + .hours(1 + dice.below(24 * 20)), .recover))
            return
        }
        charge(withCalls: true)
        subscriber.expectation = .renews
        happen(.renewed(price: subscriber.price))
    }

    /// A failed renewal is paid, at the price that it had (INC-7).
    private mutating func recover() {
        isInRetry = false
        subscriber.status = .active
        subscriber.expectation = .recovered(at: now)
        note(.recovered)
        charge(withCalls: false)
        happen(fault == .failureIsForgotten ? .periodMoved : .recovered)
    }

    /// Charges for a period. A call counts that came a day before (ACP-2).
    private mutating func charge(withCalls: Bool) {
        var prices: [String: Int64] = [:]
        for index in subscriber.items.indices {
            let item = subscriber.items[index]
            if withCalls, let call = calledFor[item.sku], call.at <= now - .days(1) {
                if call.price > item.price { subscriber.items[index].lastIncrease = now }
                subscriber.items[index].price = call.price
                calledFor[item.sku] = nil
            }
            subscriber.items[index].offer = nil
            prices[item.sku] = subscriber.items[index].price
        }
        note(.charged(prices))
        subscriber.periodStart = now
        subscriber.renews =
            CalendarStep(iso8601: subscriber.period.iso8601)?.applied(to: now) ?? .latest
    }
}
