/// What new prices of a merchant's items mean for one subscriber: each item with its own path and
/// dates, since items are judged one by one (TAB-7.2), and what follows for all of them: the
/// requests, the messages and the bills.
public struct BundlePriceExplanation: Hashable, Sendable {
    /// One item.
    public struct Item: Hashable, Sendable {
        /// The merchant's name for it.
        public let sku: String
        /// The items that end with it where its increase is refused or unanswered (ACS-3).
        public let dependents: [String]
        /// Path, reasons and dates of its price.
        public internal(set) var explanation: PriceIncreaseExplanation

        /// An item whose price is explained already.
        public init(
            sku: String, dependents: [String] = [], explanation: PriceIncreaseExplanation
        ) {
            self.sku = sku
            self.dependents = dependents
            self.explanation = explanation
        }
    }

    /// A call of the store by which prices change.
    public struct Request: Hashable, Sendable {
        /// The items whose prices it names.
        public let skus: [String]
        /// Whether the merchant has the subscriber's consent before it calls (ACP-10).
        public let needsConsent: Bool
        /// The first moment, and the last one for the renewal that is meant: both included. Nil
        /// where the store tells the subscriber, since a later call means a later renewal.
        public let opens: Instant
        public let closes: Instant?
        /// The last moment for the renewal that is meant, also where a later call is taken.
        public let latest: Instant
    }

    /// What is sent at once on one channel, about one item or several (ACC-4).
    public struct Message: Hashable, Sendable {
        /// The channel, the moment and the condition.
        public let message: PriceMessage
        /// The items that it tells of.
        public internal(set) var skus: [String]
    }

    /// What a renewal costs, offers aside, in milliunits.
    public struct Bill: Hashable, Sendable {
        /// When it is charged.
        public let moment: Instant
        /// If the subscriber agrees to whatever is asked.
        public let ifAgreed: Int64
        /// If the subscriber answers nothing.
        public let ifUnanswered: Int64
        /// The items that have ended by then if the subscriber answers nothing (ACS-2, ACS-3).
        public let lapsed: [String]
    }

    /// Who changes the prices and who tells.
    public let route: PriceChangeRoute
    /// The items in the order in which they were given.
    public let items: [Item]
    /// What the sum would need if it were one price. It decides nothing.
    public let sum: ConsentDecision
    /// The calls, the earliest first.
    public let requests: [Request]
    /// What is sent, in order.
    public let messages: [Message]
    /// The next renewal, and each one that is the first to charge a new price of an item.
    public let bills: [Bill]

    /// - Parameters:
    ///   - items: each explained by itself for the same subscriber, route and moment; not empty.
    ///   - live: as `CommunicationCalendar.init` says.
    ///   - lastAsked: the last request for consent on each channel, when dates are computed again.
    public init(
        _ items: [Item], route: PriceChangeRoute, live: Instant, thresholds: ConsentThresholds,
        lastAsked: [PriceMessage.Channel: Instant] = [:]
    ) {
        precondition(!items.isEmpty, "a bundle has an item")
        let items = Self.keepingWeeks(items, route: route, live: live, lastAsked: lastAsked)
        let first = items[0].explanation
        let (old, new) = items.reduce((0, 0)) {
            ($0.0 + $1.explanation.change.old, $0.1 + $1.explanation.change.new)
        }
        let outlook = first.subscriber.outlook
        self.route = route
        self.items = items
        sum = ConsentDecision(
            PriceChange(from: old, to: new, in: first.change.currency), period: outlook.period,
            storefront: first.subscriber.storefront,
            previousIncrease: items.compactMap(\.explanation.subscriber.previousIncrease).max(),
            effective: items.compactMap(\.explanation.firstRenewalAtNewPrice).min()
                ?? max(live, outlook.periodEnd),
            route: route, thresholds: thresholds, tempo: outlook.tempo, zone: outlook.zone)
        requests = Self.requests(items, route: route, live: live)
        messages = Self.messages(items)
        bills = Self.bills(items, next: outlook.periodEnd)
    }

    /// What is asked of the subscriber about the bundle: consent where one item needs it, a notice
    /// where none does and one rises.
    public var path: ConsentDecision.Path {
        let paths = Set(items.map(\.explanation.decision.path))
        return [.consent, .notice, .unavailable].first(where: paths.contains) ?? .none
    }

    /// Two items whose prices rise at different renewals share a channel, which is used for
    /// requests once a week at most (ACC-1): those of the later one wait for their week.
    private static func keepingWeeks(
        _ items: [Item], route: PriceChangeRoute, live: Instant,
        lastAsked: [PriceMessage.Channel: Instant]
    ) -> [Item] {
        var items = items
        let asked = items.indices
            .filter { items[$0].explanation.decision.path == .consent }
            .compactMap { place in
                items[place].explanation.firstRenewalAtNewPrice.map { (place, $0) }
            }
        var lastSent = lastAsked
        for renewal in Set(asked.map(\.1)).sorted() {
            let places = asked.filter { $0.1 == renewal }.map(\.0)
            for place in places {
                items[place].explanation.calendar = CommunicationCalendar(
                    .consent, route: route, live: live,
                    outlook: items[place].explanation.subscriber.outlook, lastSent: lastSent)
            }
            for message in places.flatMap({ items[$0].explanation.calendar.messages }) {
                lastSent[message.channel] = max(
                    message.moment, lastSent[message.channel] ?? message.moment)
            }
        }
        return items
    }

    /// Where the store tells and asks, one request names everything. Where the merchant has done
    /// so, prices that need no consent go together, and each that needs it goes once it is there
    /// (ACC-4, ACC-5).
    private static func requests(
        _ items: [Item], route: PriceChangeRoute, live: Instant
    ) -> [Request] {
        var requests: [Request] = []
        for item in items {
            guard let request = request(item, route: route, live: live) else { continue }
            let same = requests.firstIndex {
                !request.needsConsent && !$0.needsConsent && $0.opens == request.opens
                    && $0.closes == request.closes
            }
            if let same {
                requests[same] = Request(
                    skus: requests[same].skus + [item.sku], needsConsent: false,
                    opens: request.opens, closes: request.closes,
                    latest: min(request.latest, requests[same].latest))
            } else {
                requests.append(request)
            }
        }
        return requests.sorted { $0.opens < $1.opens }
    }

    /// - Returns: nil where no price changes, or the store takes no call.
    private static func request(
        _ item: Item, route: PriceChangeRoute, live: Instant
    ) -> Request? {
        let calendar = item.explanation.calendar
        guard item.explanation.change.old != item.explanation.change.new,
            let latest = calendar.lastCall
        else { return nil }
        guard let window = calendar.callWindow else {
            // In an offer the store takes no change of its item (ACP-4).
            let offerEnd = item.explanation.subscriber.outlook.conversion?.moment
            return Request(
                skus: [item.sku], needsConsent: false, opens: max(live, offerEnd ?? live),
                closes: nil, latest: latest)
        }
        return Request(
            skus: [item.sku], needsConsent: calendar.path == .consent, opens: window.opens,
            closes: window.closes, latest: latest)
    }

    /// What goes out at one moment on one channel under one condition is one message.
    private static func messages(_ items: [Item]) -> [Message] {
        var messages: [Message] = []
        for item in items {
            for message in item.explanation.calendar.messages {
                if let same = messages.firstIndex(where: { $0.message == message }) {
                    messages[same].skus.append(item.sku)
                } else {
                    messages.append(Message(message: message, skus: [item.sku]))
                }
            }
        }
        return messages.sorted { $0.message.comesBefore($1.message) }
    }

    private static func bills(_ items: [Item], next: Instant) -> [Bill] {
        let renewals = Set(items.compactMap(\.explanation.firstRenewalAtNewPrice) + [next])
        return renewals.sorted().map { moment in
            let lapsing = items.filter { item in
                let calendar = item.explanation.calendar
                return calendar.firstRenewal.map { $0 <= moment } ?? false
                    && calendar.outcome(agreed: nil) == .expires
            }
            let lapsed = Set(lapsing.flatMap { [$0.sku] + $0.dependents })
            return Bill(
                moment: moment,
                ifAgreed: items.reduce(0) { $0 + $1.price(at: moment, isAgreed: true) },
                ifUnanswered: items.reduce(0) {
                    $0 + (lapsed.contains($1.sku) ? 0 : $1.price(at: moment, isAgreed: false))
                },
                lapsed: items.map(\.sku).filter(lapsed.contains))
        }
    }
}

extension BundlePriceExplanation.Item {
    /// What it costs at a renewal, in milliunits, offers aside.
    fileprivate func price(at moment: Instant, isAgreed: Bool) -> Int64 {
        let (change, calendar) = (explanation.change, explanation.calendar)
        guard let first = calendar.firstRenewal, moment >= first else { return change.old }
        let keepsOld = !isAgreed && calendar.outcome(agreed: nil) == .oldPrice
        return keepsOld ? change.old : change.new
    }
}
