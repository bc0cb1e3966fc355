/// What a customer wants to have.
public struct Wish: Hashable, Sendable {
    public var product: String
    public var billing = Billing.upFront
    /// What a subscription is to deliver, where that is not its product.
    public var lines: [HeldLine]?
    /// How long a period lasts, where a merchant says it.
    public var length: Length?
    /// In which its prices are.
    public var currency: String?
    public var code: Code?
    /// What a merchant's request makes of what the customer has.
    public var modification: Modification?
    public var reactivation: Reactivation?
    public var quantity = 1
    public var token: String?
    /// Whether it was said on the screen of a running subscription.
    public var isChange = false

    init(product: String, token: String? = nil) {
        self.product = product
        self.token = token
    }
}

/// A purchase that waits for somebody: for who approves it, or for the customer to settle what
/// came in between (ATB-1, INT-4).
public struct Request: Hashable, Sendable {
    /// How far it has come.
    public enum State: String, Hashable, Sendable { case waiting, approved, declined, lapsed }

    public internal(set) var account: Account.Name
    public internal(set) var wish: Wish
    public internal(set) var state = State.waiting
    /// Whether nobody has to approve it but it was interrupted.
    public internal(set) var isInterrupted: Bool
    public internal(set) var asked: Int
    public internal(set) var lapses: Int
    public internal(set) var decided: Int?
    /// Why nothing was bought although it was approved.
    public internal(set) var obstacle: Outcome?

    /// When something happens to it by itself.
    var moment: Int? { state == .waiting ? lapses : nil }
}

extension NaiveStore {
    /// How an account buys: whether it asks, is interrupted, or may pay at all (CAN-1).
    public mutating func setBuying(
        asks: Bool?, isInterrupted: Bool?, mayPay: Bool?, of name: Account.Name
    ) {
        let account = accounts[name]!
        accounts[name]!.asks = asks ?? account.asks
        accounts[name]!.isInterrupted = isInterrupted ?? account.isInterrupted
        accounts[name]!.mayPay = mayPay ?? account.mayPay
    }

    /// Puts a wish aside that somebody else lets happen.
    ///
    /// - Returns: what comes of it at once; nil where nobody need be asked.
    mutating func hold(_ wish: Wish, in group: String?, by name: Account.Name) -> Outcome? {
        let account = accounts[name]!
        guard account.asks || account.isInterrupted || !account.mayPay else { return nil }
        // What would be refused is refused, as if the bank would pay.
        var trial = self
        trial.accounts[name]!.bank = .approves
        let outcome = trial.fulfil(wish, in: group, by: name)
        guard outcome == .done else { return outcome }
        guard needsSomebody(wish, by: name) else { return nil }
        guard account.mayPay else {
            note("may not pay")
            return .paymentsNotAllowed
        }
        let known = requests.firstIndex {
            $0.state == .waiting && $0.account == name && $0.wish.product == wish.product
        }
        note(known == nil ? "request made" : "request joined")
        let place = known ?? requests.count
        if known == nil {
            requests.append(
                Request(account: name, wish: wish, isInterrupted: false, asked: now, lapses: now))
        }
        let token = wish.token ?? requests[place].wish.token
        requests[place].wish = wish
        requests[place].wish.token = token
        requests[place].isInterrupted = !account.asks
        // ATB-2: a repeat begins the time anew.
        requests[place].lapses = now + NaiveCalendar.day
        return account.asks ? .done : .interrupted
    }

    /// Does what is wished without asking anybody.
    mutating func fulfil(_ wish: Wish, in group: String?, by name: Account.Name) -> Outcome {
        if wish.modification != nil { return modify(wish, by: name, isApproved: true) }
        if wish.reactivation != nil { return reactivate(wish, by: name, isApproved: true) }
        if wish.length != nil { return create(wish, by: name, isApproved: true) }
        return wish.isChange
            ? change(
                to: wish.product, wish.billing, in: group!, by: name, isApproved: true)
            : buy(wish, by: name, isApproved: true)
    }

    /// What is owned, runs already, or waits for the bank is no new purchase.
    private func needsSomebody(_ wish: Wish, by name: Account.Name) -> Bool {
        guard wish.modification == nil, wish.reactivation == nil else { return true }
        guard let article = shop.article(wish.product) else { return true }
        guard case .plan(let group, _, _, _) = article.kind else {
            return article.kind != .nonConsumable
                || !owned(name).contains(wish.product)
                    && awaited(by: name, nil, wish.product) == nil
        }
        guard let life = life(name, in: group), !life.isOver else {
            return awaited(by: name, group, wish.product) == nil
        }
        let plan = plan(of: article, wish.billing, wish.lines, in: life.country)!
        return life.invoice == nil && !plan.isSame(as: life.plan)
    }

    /// Somebody lets it happen, or the customer settles what came in between.
    public mutating func approve(_ number: Int, byCustomer: Bool) -> Outcome {
        let request = requests[number]
        guard request.state == .waiting else { return .requestClosed }
        if !request.isInterrupted {
            guard !byCustomer else { return .needsApproval }
            guard !request.account.isSandbox || shop.terms.sandboxApproves else {
                return .sandboxCannotApprove
            }
        }
        let outcome = fulfilApproved(request)
        note(outcome == .done ? "request approved" : "request approved in vain")
        if request.isInterrupted { note("interruption settled") }
        requests[number].state = .approved
        requests[number].decided = now
        requests[number].obstacle = obstacle(outcome)
        return .done
    }

    /// What is said to have stood in the way: not sold is not sold, in whatever way it was to be
    /// paid, and of a code no more than that it was not for this customer.
    private func obstacle(_ outcome: Outcome) -> Outcome? {
        switch outcome {
        case .done: nil
        case .notBilledMonthly, .invalidLines, .notSalable, .invalidAmount, .notEligible,
            .changedItemMissing, .removedItemMissing, .nothingLeft, .itemsOfPeriodMissing,
            .offerRuns, .misaligned, .noPriceChange, .notTheIncreasedPrice:
            .notForSale
        case .alreadyActive, .itemExists: .alreadySubscribed
        case .codeExpired, .codeRedeemed, .offerRedeemedBefore, .notInAudience, .wouldDowngrade:
            .ineligibleForOffer
        default: outcome
        }
    }

    private mutating func fulfilApproved(_ request: Request) -> Outcome {
        let name = request.account
        let group = shop.article(request.wish.product)?.group
        if !accounts[name]!.mayPay, needsSomebody(request.wish, by: name) {
            var trial = self
            trial.accounts[name]!.bank = .approves
            let outcome = trial.fulfil(request.wish, in: group, by: name)
            return outcome == .done ? .paymentsNotAllowed : outcome
        }
        return fulfil(request.wish, in: group, by: name)
    }

    /// Somebody does not let it happen.
    public mutating func decline(_ number: Int) -> Outcome {
        guard requests[number].state == .waiting else { return .requestClosed }
        note("request declined")
        requests[number].state = .declined
        requests[number].decided = now
        return .done
    }

    /// Nobody decided in time.
    mutating func lapse(_ number: Int, at moment: Int) {
        note("request lapsed")
        requests[number].state = .lapsed
        requests[number].decided = moment
    }
}
