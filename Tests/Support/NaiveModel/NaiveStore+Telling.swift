extension NaiveStore {
    /// Tells the developer something about a subscription, in the order of NTF-3.
    ///
    /// - Parameter receipt: the place of the receipt that it is about; nil for the newest.
    mutating func tell(_ kind: String, _ index: Int, at moment: Int, receipt: Int? = nil) {
        let life = lives[index]
        notices.append(
            Notice(
                at: moment, account: life.account, group: life.group, life: index, kind: kind,
                receipt: receipt ?? life.receipt))
    }

    /// Tells the developer something about a receipt, of whatever kind it is.
    mutating func tell(_ kind: String, receipt: Int, at moment: Int) {
        let bought = receipts[receipt]
        if let group = bought.group, let index = index(bought.account, group) {
            return tell(kind, index, at: moment, receipt: receipt)
        }
        notices.append(
            Notice(at: moment, account: bought.account, kind: kind, receipt: receipt))
    }

    /// Tells the developer that renewal was turned on or off.
    mutating func tellRenewal(_ isOn: Bool, _ index: Int, at moment: Int) {
        tell(
            "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_\(isOn ? "ENABLED" : "DISABLED")", index,
            at: moment)
    }

    /// Tells the developer that it is over, and why (TAB-4.3).
    mutating func tellEnd(_ index: Int, reason: Int, at moment: Int) {
        let why = [
            1: "/VOLUNTARY", 2: "/BILLING_RETRY", 3: "/PRICE_INCREASE",
            4: "/PRODUCT_NOT_FOR_SALE", 5: "",
        ]
        tell("EXPIRED" + why[reason]!, index, at: moment)
    }

    /// Writes into notices how things stand after what just happened: they show the subscription
    /// and the transaction as these are then.
    public mutating func present() {
        followPurchases()
        for place in presented..<notices.count {
            if let receipt = notices[place].receipt {
                notices[place].showing = showing(of: receipts[receipt])
            }
            if let shared = notices[place].shared {
                notices[place].showing = showing(handedOn: shared)
                notices[place].standing = standing(of: shares[handedOn[shared].share])
            } else if let life = notices[place].life {
                notices[place].standing = standing(of: lives[life])
            }
        }
        presented = notices.count
    }

    /// How a life is shown.
    public func standing(of life: Life) -> Standing {
        let receipt = receipts[life.receipt]
        let (status, intent): (Int, Int?) =
            switch life.phase {
            case .running: (1, nil)
            // Nothing has failed.
            case .awaiting: (4, nil)
            case .grace: (4, 2)
            case .retry: (3, 2)
            case .revoked: (5, nil)
            case .over(let reason): (2, reason)
            }
        return Standing(
            // REF-7: 5 wherever the newest transaction was refunded.
            status: receipt.isRevoked || life.isGivenBack ? 5 : status, product: life.plan.product,
            next: life.next.product, renews: !life.isOver && (life.renews || life.owesMonth),
            renewal: life.end, price: life.isOver ? nil : nextPrice(of: life),
            currency: life.isOver ? nil : life.country.currency, intent: intent,
            isRetrying: status == 3 || intent == 2 && status == 4, graceEnds: life.graceEnds,
            increase: increase(of: life),
            // A merchant's items say their offers themselves.
            offer: life.isOver || life.plan.isMerchants ? nil : life.next.offer?.text,
            since: life.serviceStart, token: life.token,
            billing: life.isOver ? life.plan.billing : life.next.billing,
            commitment: nextCommitment(of: life), items: renewalItems(of: life))
    }

    /// INC-13: what the next period costs, with the discount or the increase that it has.
    private func nextPrice(of life: Life) -> Int {
        var plan = nextPeriod(of: life, isShown: true).plan
        // What was refused will not be charged (ACS-2).
        let refused = life.increases.filter(\.value.isDeclined).keys
        if !refused.isEmpty, let rest = rest(of: life, without: Set(refused)) {
            plan.lines.removeAll { rest.line($0.sku) == nil }
        }
        return plan.cost
    }

    /// INC-10, INC-12: what was announced and not declined stays, also when it is over,
    /// unless another plan is to replace it.
    private func increase(of life: Life) -> Int? {
        // Of a merchant's lower price nobody is told (ACP-12).
        let told = life.plan.lines.compactMap { line in
            life.increases[line.sku].flatMap { $0.price > line.price ? $0 : nil }
        }.filter { $0.isAnnounced && (life.plan.isMerchants || !$0.isDeclined) }
        guard life.phase != .revoked, life.increasesHold, !told.isEmpty else { return nil }
        return told.contains { $0.isDeclined || $0.needsConsent && !$0.isAgreed } ? 0 : 1
    }

    /// How a life's newest receipt is shown.
    public func showing(of life: Life) -> Showing { showing(of: receipts[life.receipt]) }

    func showing(of receipt: Receipt) -> Showing {
        Showing(
            product: receipt.product, purchased: receipt.purchased, expires: receipt.until,
            price: receipt.price, currency: receipt.currency, isUpgraded: receipt.isUpgraded,
            isRenewal: receipt.isRenewal, offer: receipt.offer?.text, revoked: receipt.revoked,
            share: receipt.revoked == nil ? nil : share(of: receipt), token: receipt.token,
            billing: receipt.group == nil ? nil : receipt.billing, month: receipt.month,
            items: receipt.isMerchants ? items(of: receipt) : [])
    }

    /// What a receipt says of a merchant's items: also what went back of them, and when they ended.
    private func items(of receipt: Receipt) -> [String] {
        [receipt.length.text + " " + receipt.title]
            + receipt.lines.map { line in
                let back = receipt.returns.filter { $0.sku == line.sku }.map { " " + $0.text }
                return line.text(at: line.price) + back.joined()
                    + (receipt.gone[line.sku].map { " gone \(NaiveCalendar.text($0))" } ?? "")
            }
    }

    /// What renewal info says of each of a merchant's items: the price that is paid, and beside it
    /// the higher one that is on its way (ACS-2).
    private func renewalItems(of life: Life) -> [String] {
        guard life.plan.isMerchants else { return [] }
        let next = life.isOver ? life.plan : nextPeriod(of: life, isShown: true).plan
        let head = [next.length.text + " " + next.title]
        return head
            + next.lines.map { line in
                guard !life.isOver, life.increasesHold else { return line.text(at: line.price) }
                if let increase = life.waitingIncreases[line.sku], increase.price > line.price {
                    return line.text(at: line.price) + text(of: increase)
                }
                guard let increase = life.increases[line.origin],
                    let paid = life.plan.line(line.origin), increase.price > paid.price
                else {
                    // Of a lower price nobody is told: it is the item's once the renewal charges
                    // it.
                    return line.text(at: line.price)
                }
                return line.text(at: paid.price) + text(of: increase)
            }
    }

    private func text(of increase: PriceIncrease) -> String {
        let status =
            !increase.isAnnounced
            ? "SCHEDULED"
            : increase.isDeclined || increase.needsConsent && !increase.isAgreed
                ? "PENDING" : "ACCEPTED"
        return " \(status) \(increase.price)"
            + (increase.dependents.isEmpty
                ? "" : " with \(increase.dependents.joined(separator: " "))")
    }

    /// REF-7: how much of a receipt was given back, half up; a part is neither all nor nothing.
    private func share(of receipt: Receipt) -> Int {
        guard receipt.returned < receipt.price else { return 100_000 }
        let share = (receipt.returned * 200_000 + receipt.price) / (2 * receipt.price)
        return min(max(share, 1), 99_999)
    }
}

extension HeldLine {
    /// A merchant's item as it is shown.
    func text(at price: Int) -> String {
        "\(sku) \(price)" + (offer.map { " at \($0.name ?? "") \($0.price)" } ?? "")
            + (name == sku ? "" : " called \(name)")
    }
}

extension Length {
    /// As ISO 8601 has it.
    var text: String {
        switch self {
        case .days(let days) where days % 7 == 0: "P\(days / 7)W"
        case .days(let days): "P\(days)D"
        case .months(12): "P1Y"
        case .months(let months): "P\(months)M"
        }
    }
}

extension Discount {
    /// Mode and whole length, as they are shown.
    var text: String {
        let mode =
            switch mode {
            case .trial: "FREE_TRIAL"
            case .payAsYouGo: "PAY_AS_YOU_GO"
            case .payUpFront: "PAY_UP_FRONT"
            }
        let span: String =
            switch length {
            case .days(let days) where days % 7 == 0: "P\(days / 7 * count)W"
            case .days(let days): "P\(days * count)D"
            case .months(12): "P\(count)Y"
            case .months(let months): "P\(months * count)M"
            }
        return (isByCode ? "code " : "") + (name.map { "\($0): " } ?? "") + "\(mode) \(span)"
    }
}

extension NaiveStore {
    /// The next period at the prices that are told of.
    public func shownNext(of life: Life) -> HeldPlan { nextPeriod(of: life, isShown: true).plan }
}
