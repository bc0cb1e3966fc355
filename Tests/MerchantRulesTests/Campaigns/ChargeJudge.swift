/// Judges each charge of a subscriber whom the merchant tells of its prices (mode M), by what
/// happened before and by the rules of price changes alone (ACC, INC, ACP). It imports nothing, so
/// it knows no code of campaigns; dates are milliseconds, prices are milliunits.
struct ChargeJudge {
    enum Question { case notice, request }
    enum Channel: String { case mail, sheet, push }

    /// Something that the customer or the store could bear witness to.
    enum Happening {
        case told(Question, Channel, prices: [String: Int64])
        case unreachable(Channel)
        /// The customer looked at the sheet.
        case seen
        case agreed(prices: [String: Int64])
        case declined
        /// The store took a call that changes prices.
        case called([String])
        case failed, recovered, turnedOff, turnedOn
        /// What each item costs from this charge on, offers aside.
        case charged([String: Int64])
    }

    struct Item {
        var price: Int64
        var lastIncrease: Int64?
        var isInOffer: Bool
    }

    private static let day: Int64 = 86_400_000
    /// TAB-7.2: the regions on the always-consent list as far as it is known.
    private static let alwaysAsked: Set<String> = ["AUT", "DEU", "POL"]

    let storefront: String
    /// The length of the plan's periods; 0 is a week.
    let months: Int
    let hasDevice: Bool
    private(set) var items: [String: Item]
    private(set) var findings: [String] = []
    /// When items were charged more, each time.
    private(set) var increases: [Int64] = []
    /// Whether an item was charged less.
    private(set) var hasFallen = false
    private var periodStart: Int64
    private var trace: [(at: Int64, what: Happening)] = []
    private var isOff = false
    private var isFailed = false

    init(
        storefront: String, months: Int, hasDevice: Bool, periodStart: Int64,
        items: [String: Item]
    ) {
        self.storefront = storefront
        self.months = months
        self.hasDevice = hasDevice
        self.periodStart = periodStart
        self.items = items
    }

    // MARK: What happens

    mutating func note(_ what: Happening, at now: Int64) {
        switch what {
        case .told(let question, let channel, _): judge(question, on: channel, at: now)
        case .called(let skus):
            // ACP-4.
            if isOff || isFailed { findings.append("\(now): called for \(skus) while blocked") }
        case .failed: isFailed = true
        case .recovered: isFailed = false
        case .turnedOff: isOff = true
        case .turnedOn: isOff = false
        case .charged(let prices): judge(prices, at: now)
        case .unreachable, .seen, .agreed, .declined: break
        }
        trace.append((now, what))
    }

    /// ACC-11 and ACC-12.
    private mutating func judge(_ question: Question, on channel: Channel, at now: Int64) {
        if isOff { findings.append("\(now): told by \(channel) though renewal is off") }
        guard question == .request else { return }
        let before = trace.last { entry in
            guard case .told(.request, let other, _) = entry.what else { return false }
            return other == channel
        }
        if let last = before, now - last.at < 7 * Self.day {
            findings.append("\(now): asked by \(channel) twice within a week")
        }
    }

    private mutating func judge(_ prices: [String: Int64], at now: Int64) {
        for (sku, new) in prices.sorted(by: { $0.key < $1.key }) {
            guard var item = items[sku] else { continue }
            if new > item.price {
                if let missing = fault(sku, item, new, at: now) {
                    findings.append("\(now): \(sku) \(item.price) -> \(new): \(missing)")
                }
                increases.append(now)
                item.lastIncrease = now
            }
            if new < item.price { hasFallen = true }
            item.price = new
            item.isInOffer = false
            items[sku] = item
        }
        periodStart = now
    }

    // MARK: What the documents demand

    /// What is missing for a higher price; nil where everything is there.
    private func fault(_ sku: String, _ item: Item, _ new: Int64, at now: Int64) -> String? {
        if item.isInOffer { return "it is the first charge after an offer (INC-6)" }
        if storefront == "IND" { return "no call raises a price in India (ACP-5)" }
        let taken = trace.lastIndex { entry in
            guard case .called(let skus) = entry.what else { return false }
            return skus.contains(sku) && entry.at <= now - Self.day
        }
        guard let call = taken else { return "no call came a day before (ACP-2)" }
        // After a recovery, and once renewal is on again, everything begins anew (INC-7, ACC-11).
        let restart = trace[..<call].lastIndex { entry in
            switch entry.what {
            case .recovered, .turnedOn: true
            default: false
            }
        }
        let before = trace[(restart.map { $0 + 1 } ?? 0)..<call]
        if hasAgreed(to: new, of: sku, in: before) {
            return wasAskedInTime(sku, new, at: now) ? nil : "it was asked too late (INC-2)"
        }
        if let reason = reasonToAsk(item, new, at: now) {
            return "nobody agreed, though \(reason) (ACC-2)"
        }
        return faultOfNotice(sku, new, before, at: now)
    }

    /// Why consent is needed; nil where a notice is enough (TAB-7.2).
    func reasonToAsk(_ item: Item, _ new: Int64, at now: Int64) -> String? {
        let difference = new - item.price
        if difference <= 0 { return nil }
        if Self.alwaysAsked.contains(storefront) { return "\(storefront) always asks" }
        // Twelve months have 365 or 366 days: the days between are for neither side.
        if let last = item.lastIncrease, now - last < 365 * Self.day {
            return "it rose within twelve months"
        }
        guard 2 * difference > item.price else { return nil }
        // Only the amounts in dollars are known; where none is, half the price decides.
        guard storefront == "USA" else { return "it rises by more than half" }
        let amount: Int64 = months == 12 ? 50_000 : 5_000
        return difference > amount ? "it rises by more than half and by \(difference)" : nil
    }

    /// The newest answer is consent to this very price.
    private func hasAgreed(
        to price: Int64, of sku: String, in before: ArraySlice<(at: Int64, what: Happening)>
    ) -> Bool {
        for entry in before.reversed() {
            switch entry.what {
            case .declined: return false
            case .agreed(let prices): return prices[sku] == price
            default: continue
            }
        }
        return false
    }

    /// By any channel: who answers the sheet gets no mail any more. A request may be a day late,
    /// and does not begin before the period (INC-2, ACC-9).
    private func wasAskedInTime(_ sku: String, _ price: Int64, at now: Int64) -> Bool {
        let lead: Int64 = months == 0 ? 7 : months == 1 ? 27 : 60
        let latest = max(now - lead * Self.day, periodStart) + Self.day
        return trace.contains { entry in
            guard case .told(.request, _, let prices) = entry.what else { return false }
            return prices[sku] == price && entry.at <= latest
        }
    }

    /// The mail 27 days before, which may be a day late, and the push to who has not seen the
    /// sheet (TAB-7.3, ACC-3).
    private func faultOfNotice(
        _ sku: String, _ price: Int64, _ before: ArraySlice<(at: Int64, what: Happening)>,
        at now: Int64
    ) -> String? {
        let hasMail = before.contains { entry in
            guard case .told(.notice, .mail, let prices) = entry.what else { return false }
            return prices[sku] == price && entry.at <= now - 26 * Self.day
        }
        guard hasMail else { return "no mail told of it 27 days before" }
        guard hasDevice else { return nil }
        let isPushed = trace[before.startIndex...].contains { entry in
            switch entry.what {
            case .seen, .told(.notice, .push, _), .unreachable(.push): true
            default: false
            }
        }
        return isPushed ? nil : "it was not pushed, and nobody had seen the sheet"
    }
}
