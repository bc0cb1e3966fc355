import AppStoreWire
import SubscriptionRules

extension CatalogueReader {
    /// Reads a subscription into a group.
    ///
    /// - Parameter isLoose: whether it stands outside the group, where its type was judged.
    mutating func readSubscription(_ node: Node, groupID: String, isLoose: Bool = false) {
        let type = ProductType.autoRenewableSubscription
        if !isLoose { noteType(of: node) }
        noteGroup(of: node, groupID: groupID)
        noteImage(of: node)
        let id = readProductID(of: node)
        let period = readPeriod(of: node)
        let monthly = readMonthlyBilling(of: node, period: period)
        let offers = readOffers(of: node, period: period, hasMonthly: monthly != nil)
        let product = (
            name: readReferenceName(of: node), isShared: readFamilySharing(of: node, type: type),
            texts: readLocalizations(of: node), price: readPlanPrice(of: node),
            level: readLevel(of: node)
        )
        guard let id, let period else { return }
        add(
            Product(
                id: id, type: type, referenceName: product.name,
                isFamilyShareable: product.isShared, localizations: product.texts,
                basePrice: product.price,
                subscription: SubscriptionTerms(
                    groupID: groupID, level: product.level, period: period, offers: offers,
                    monthlyBilling: monthly)),
            from: node)
    }

    /// Where a subscription is says what it is, so a missing type is no matter.
    private mutating func noteType(of node: Node) {
        let type = ProductType.autoRenewableSubscription
        guard let word = findings.filledText("type", of: node) else { return }
        let path = node.path(of: "type")
        if let known = Spelling.productType(word), known != type {
            findings.fail(
                path, "A \(Spelling.word(known)) cannot be in a subscription group.",
                remedy: "Move it to \"products\", or make it \"RecurringSubscription\".")
        } else {
            noteSpelling(word, of: type, at: path)
        }
    }

    private mutating func noteGroup(of node: Node, groupID: String) {
        guard let written = findings.filledText("subscriptionGroupID", of: node),
            written != groupID
        else { return }
        findings.warn(
            node.path(of: "subscriptionGroupID"),
            "\(quoted(written)) is not the group around it; \(quoted(groupID)) counts.",
            remedy: "Write the identifier of the group around it, or leave it out.")
    }

    /// How long a period lasts. Only Apple's six lengths: nothing on the wire has another (CAL-1).
    private mutating func readPeriod(of node: Node) -> CalendarPeriod? {
        let key = "recurringSubscriptionPeriod"
        var path = node.path(of: key)
        let remedy = "Write one of P1W, P1M, P2M, P3M, P6M, P1Y."
        var text = findings.filledText(key, of: node)
        if text == nil, let other = findings.filledText("subscriptionPeriod", of: node) {
            path = node.path(of: "subscriptionPeriod")
            findings.warn(
                path, "\"subscriptionPeriod\" is read as \"\(key)\".", remedy: "Write \"\(key)\".")
            text = other
        }
        guard let text else {
            findings.fail(path, "The subscription has no period.", remedy: remedy)
            return nil
        }
        guard let written = CalendarPeriod(iso8601: text),
            let period = Spelling.same(as: written, in: CalendarPeriod.billing)
        else {
            findings.fail(
                path, "No subscription lasts \(quoted(text)).", remedy: remedy)
            return nil
        }
        if period.iso8601 != text {
            findings.warn(
                path, "The period \(quoted(text)) is read as \(period.iso8601).",
                remedy: "Write \(period.iso8601).")
        }
        return period
    }

    /// The level of service. One that is missing is 1: all plans of a group that names no levels
    /// are then equals, and no change between them is held up as a downgrade by mistake.
    private mutating func readLevel(of node: Node) -> Int {
        let key = "groupNumber"
        guard node.member(key) != nil else {
            findings.warn(
                node.path(of: key), "The level of service is missing; taken as 1, the highest.",
                remedy: "Write the level, from 1.")
            return 1
        }
        // A group has at most 100 subscriptions (GRP-1), so it cannot use more levels.
        return findings.whole(key, of: node, in: 1...100) ?? 1
    }

    /// The price of a period, of which `billingPlans` may have another opinion (SKF-6.6).
    ///
    /// The subscription's own price counts: every format version has it, and it is what StoreKit
    /// shows. Only where it is missing does the up-front plan's price stand in.
    private mutating func readPlanPrice(of node: Node) -> Int64 {
        var upFront: Node?
        for plan in findings.objects("billingPlans", of: node)
        where plan.member("isEnabled")?.value.bool != false {
            switch plan.member("billingPlanType")?.value.string {
            case "BILLED_UPFRONT": upFront = plan
            case "MONTHLY": break
            default:
                findings.warn(
                    plan.path, "The kind of this billing plan is not known; left out.",
                    remedy: "Write \"BILLED_UPFRONT\" or \"MONTHLY\".")
            }
        }
        let own = node.member("displayPrice")
        guard let upFront, let planPrice = upFront.member("displayPrice"),
            planPrice.value != .string("")
        else { return readPrice(of: node) }
        if own == nil || own?.value == .string("") {
            findings.warn(
                node.path(of: "displayPrice"), "No price is given; the up-front plan's is taken.",
                remedy: "Type the price in Xcode.")
            return readPrice(of: upFront)
        }
        let price = readPrice(of: node)
        if let other = readPriceText(planPrice), other != price {
            findings.warn(
                planPrice.path,
                "The up-front plan's price differs from the subscription's, which "
                    + "counts.", remedy: "Give both the same price.")
        }
        return price
    }

    /// The plan that is billed monthly under a commitment, which only a year can have; switched off
    /// it is known and not sold (SKF-6.6).
    private mutating func readMonthlyBilling(
        of node: Node, period: CalendarPeriod?
    ) -> MonthlyBilling? {
        let plans = findings.objects("billingPlans", of: node)
            .filter { $0.member("billingPlanType")?.value.string == BillingPlan.monthly.rawValue }
        guard let plan = plans.first, let period else { return nil }
        guard period == Commitment.period else {
            findings.warn(
                plan.path, "Only what lasts P1Y can be billed monthly; left out.",
                remedy: "Make the subscription P1Y, or take the plan out in Xcode.")
            return nil
        }
        for other in plans.dropFirst() {
            findings.warn(
                other.path, "There are two plans that are billed monthly; the first one counts.",
                remedy: "Keep one of them.")
        }
        let price = readPrice(of: plan)
        if let total = plan.member("commitmentDisplayPrice"), total.value != .string(""),
            let written = readPriceText(total), written != Commitment.price(ofMonth: price)
        {
            findings.warn(
                total.path,
                "The commitment is not twelve times the price of a month, which counts.",
                remedy: "Write twelve times \"displayPrice\".")
        }
        return MonthlyBilling(
            basePrice: price, isEnabled: plan.member("isEnabled")?.value.bool != false)
    }
}
