import AppStoreWire
import SubscriptionRules

extension CatalogueReader {
    /// Reads all offers of a subscription, the introductory one first.
    ///
    /// - Parameters:
    ///   - period: the plan's own period; nil where it could not be read.
    ///   - hasMonthly: whether there is a plan that is billed monthly.
    mutating func readOffers(
        of node: Node, period: CalendarPeriod?, hasMonthly: Bool
    ) -> [Offer] {
        let plans = Plans(period: period, hasMonthly: hasMonthly)
        var offers = readIntroductoryOffers(of: node, plans)
        for (key, kind) in [
            ("adHocOffers", Offer.Kind.promotional), ("codeOffers", .offerCode),
            ("winbackOffers", .winBack),
        ] {
            var paths: [String: String] = [:]
            for entry in findings.objects(key, of: node) {
                guard var offer = readOffer(entry, kind: kind, plans) else { continue }
                if let first = paths[offer.id] {
                    guard let other = otherID(for: offer, in: entry, taken: paths, first: first)
                    else { continue }
                    offer.id = other
                }
                paths[offer.id] = entry.path
                offers.append(offer)
            }
        }
        return offers
    }

    /// An identifier for an offer whose own is taken, or nil and a problem.
    ///
    /// An offer code has only its reference name, which is not made to be unique: the row key
    /// tells two of the same name apart. The other kinds have identifiers that the app uses.
    private mutating func otherID(
        for offer: Offer, in entry: Node, taken: [String: String], first: String
    ) -> String? {
        if offer.kind == .offerCode, let row = findings.filledText("internalID", of: entry),
            taken[row] == nil
        {
            findings.warn(
                entry.path,
                "The offer name \(quoted(offer.id)) is also at \(first); this one is "
                    + "called \(quoted(row)).", remedy: "Give the offers different names.")
            return row
        }
        findings.fail(
            entry.path, "The offer \(quoted(offer.id)) is also at \(first).",
            remedy: "Give each offer of a subscription an identifier of its own.")
        return nil
    }

    /// The introductory offer: one up to 4.0, a list with one for each billing plan from 5.0,
    /// where 5.0 repeats one of them in the old place (SKF-5).
    private mutating func readIntroductoryOffers(of node: Node, _ plans: Plans) -> [Offer] {
        let entries = findings.objects("introductoryOffers", of: node)
        var read: [(offer: Offer, path: String)] = []
        for entry in entries {
            guard let offer = readOffer(entry, kind: .introductory, plans) else { continue }
            read.append((offer, entry.path))
        }
        if let single = node.member("introductoryOffer"), findings.isObject(single),
            !entries.contains(where: { $0.value == single.value }),
            let offer = readOffer(single, kind: .introductory, plans)
        {
            read.append((offer, single.path))
        }
        var offers: [Offer] = []
        for billing in BillingPlan.allCases {
            let all = read.filter { $0.offer.billing == billing }
            guard let first = all.first else { continue }
            offers.append(first.offer)
            for extra in all.dropFirst() where extra.offer != first.offer {
                findings.warn(
                    extra.path,
                    "A plan has one introductory offer at a time; the one at \(first.path) counts.",
                    remedy: "Take one of them out.")
            }
        }
        return offers
    }

    /// The plans that an offer may belong to.
    private struct Plans {
        let period: CalendarPeriod?
        let hasMonthly: Bool

        /// How long a period of the plan lasts that is billed so.
        func period(of billing: BillingPlan) -> CalendarPeriod? {
            billing == .monthly ? .month : period
        }
    }

    /// Reads an offer; nil where there is none, it is for a plan that there is not, or a problem
    /// was noted.
    private mutating func readOffer(_ node: Node, kind: Offer.Kind, _ plans: Plans) -> Offer? {
        guard let billing = readBilling(of: node, plans), let mode = readMode(of: node) else {
            return nil
        }
        guard let written = readOfferPeriod(of: node),
            let times = readPeriodCount(of: node, mode: mode)
        else { return nil }
        let length = written.repeated(times)
        guard isWithinAYear(length, node) else { return nil }
        noteLength(
            of: node, mode: mode, written: written, length: length,
            plan: plans.period(of: billing))
        guard let id = readOfferID(of: node, kind: kind) else { return nil }
        let price = readOfferPrice(of: node, mode: mode)
        let isCode = kind == .offerCode
        let isAsYouGo = mode == .payAsYouGo
        var offer = Offer(
            kind: kind, id: id, referenceName: readReferenceName(of: node), mode: mode,
            period: isAsYouGo ? written : length, periodCount: isAsYouGo ? times : 1,
            basePrice: price, audiences: isCode ? readAudiences(of: node) : [],
            isStackable: isCode && readStacking(of: node),
            isForMonthlyBilling: billing == .monthly)
        if kind == .winBack {
            // The file says whether the tester may have it, and none of the App Store's terms
            // (SKF-6.5).
            offer.winBack = WinBackTerms()
            if findings.flag("isEligible", of: node) == false {
                offer.availability.storefronts = []
                findings.warn(
                    node.path(of: "isEligible"), "Nobody can have the offer.",
                    remedy: "Switch it on in Xcode to have it.")
            }
        }
        return offer
    }

    /// The billing plan that an offer belongs to, the one that is paid up front unless it says
    /// otherwise; nil for one that the subscription has not (SKF-6.6).
    private mutating func readBilling(of node: Node, _ plans: Plans) -> BillingPlan? {
        guard let word = findings.filledText("billingPlanType", of: node) else { return .upFront }
        switch BillingPlan(rawValue: word) {
        case .upFront: return .upFront
        case .monthly where plans.hasMonthly: return .monthly
        case .monthly, nil:
            findings.warn(
                node.path,
                "The offer is for the billing plan \(quoted(word)), which the subscription has "
                    + "not; left out.",
                remedy: "Write \"BILLED_UPFRONT\", or add the plan in Xcode.")
            return nil
        }
    }

    private mutating func readMode(of node: Node) -> Offer.Mode? {
        let remedy = "Write \"free\", \"payAsYouGo\" or \"payUpFront\"."
        for key in ["paymentMode", "offerMode"] {
            guard let word = findings.filledText(key, of: node) else { continue }
            let path = node.path(of: key)
            switch Spelling.paymentMode(word) {
            case nil:
                findings.fail(
                    path, "The payment mode \(quoted(word)) is not known.", remedy: remedy)
                return nil
            case .noOffer:
                findings.warn(
                    path, "The payment mode \"none\" is taken as no offer.",
                    remedy: "Take the offer out in Xcode.")
                return nil
            case .mode(let mode):
                if key != "paymentMode" || word != Spelling.word(mode) {
                    findings.warn(
                        path,
                        "\(quoted(word)) is read as the payment mode "
                            + "\"\(Spelling.word(mode))\".", remedy: remedy)
                }
                return mode
            }
        }
        findings.fail(
            node.path(of: "paymentMode"), "The offer does not say how it is paid.",
            remedy: remedy)
        return nil
    }

    /// How many times the period of an offer comes. Absent is 1 (SKF-6); Apple's highest is
    /// 12 (OFF-4).
    private mutating func readPeriodCount(of node: Node, mode: Offer.Mode) -> Int? {
        let key = "numberOfPeriods"
        guard node.member(key) != nil else { return 1 }
        guard let count = findings.whole(key, of: node, in: 1...12) else { return nil }
        if count > 1, mode != .payAsYouGo {
            findings.warn(
                node.path(of: key),
                "Only pay as you go has several periods; read as one period "
                    + "that is \(count) times as long.", remedy: "Write the whole length.")
        }
        return count
    }

    /// What an offer costs, 0 when free whatever stale price remained (SKF-6).
    private mutating func readOfferPrice(of node: Node, mode: Offer.Mode) -> Int64 {
        guard mode == .freeTrial else { return readPrice(of: node) }
        if let stale = findings.filledText("displayPrice", of: node),
            (try? PriceText.milliunits(stale)) != 0
        {
            findings.warn(
                node.path(of: "displayPrice"), "The offer is free; its price is ignored.",
                remedy: "Nothing to do: Xcode keeps the price of an earlier payment mode.")
        }
        return 0
    }
}
