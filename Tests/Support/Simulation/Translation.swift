import AppStoreWire
import NaiveModel
import Store
import SubscriptionRules

// The naive model has no types in common with the store: here one becomes the other.

/// The environment that an account lives in.
extension Account.Name {
    var environment: StoreEnvironment { isSandbox ? .sandbox : .production }
}

extension Country {
    var storefront: Storefront { Storefront(code: code)! }
}

extension PaymentMethod {
    init(_ bank: Account.Bank) {
        switch bank {
        case .approves: self = .approves
        case .declines(let until, let left):
            self = .declines(until: until.map(OpenWorld.instant), left: left)
        case .answersLater(let after, let pays):
            self = .answersLater(
                after: after.map { Span(milliseconds: Int64($0)) }, isPaid: pays)
        }
    }
}

extension Offer.Mode {
    init(_ mode: Discount.Mode) {
        self =
            switch mode {
            case .trial: .freeTrial
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            }
    }
}

extension Plan.Line {
    init(_ line: HeldLine) {
        self.init(
            sku: line.sku, price: Int64(line.price), offer: line.offer.map(AppliedOffer.init))
    }
}

extension AppliedOffer {
    /// In its first period.
    init(_ discount: Discount) {
        let period = OpenWorld.period(discount.length)
        self.init(
            kind: discount.name == nil ? .introductory : .promotional, id: discount.name ?? "",
            mode: Offer.Mode(discount.mode), period: period,
            wholePeriod: period.repeated(discount.count), price: Int64(discount.price),
            periodsLeft: discount.count - 1)
    }
}

extension ConsentThresholdChange {
    init(_ change: ConsentTerms.Change, in storefront: Storefront) {
        self.init(in: storefront)
        alwaysConsent = change.always
        nonAnnualAmount = change.amount.map(Int64.init)
        annualAmount = change.yearly.map(Int64.init)
        isReset = change.isReset
    }
}

extension Consumption.Preference {
    init(_ wish: AskedBack.Wish) {
        self =
            switch wish {
            case .decline: .decline
            case .full: .grantFull
            case .part: .grantProrated
            }
    }
}

extension RefundPolicy {
    init(_ refunds: Terms.Refunds) {
        self =
            switch refunds {
            case .somebody: .operatorDecides
            case .granted: .approve
            case .declined: .decline
            case .developer: .developer
            }
    }
}

extension Outcome {
    /// What a refusal of the store is called in the naive model; nil for what never may happen.
    init?(_ error: StoreError) {
        switch error {
        case .unknown(.product, _): self = .unknownProduct
        case .advancedCommerce(let error):
            guard let outcome = Outcome(error) else { return nil }
            self = outcome
        case .purchase(.notForSale): self = .notForSale
        case .purchase(.notBilledMonthly): self = .notBilledMonthly
        case .setting(.offSaleEverywhere): self = .offSaleEverywhere
        case .purchase(.invalidQuantity): self = .invalidQuantity
        case .subscription(.notASubscription): self = .notASubscription
        case .subscription(.wrongGroup): self = .wrongGroup
        case .refused(.alreadySubscribed): self = .alreadySubscribed
        case .purchase(.paymentDeclined): self = .paymentDeclined
        case .refused(.paymentPending): self = .paymentPending
        case .unknown(.bill, _): self = .unknownBill
        case .refused(.notActive): self = .notActive
        case .refused(.notExtended(.limitReached)): self = .extendedTooOften
        case .refused(.notExtended): self = .notExtended
        case .refused(.noPriceIncrease): self = .noPriceIncrease
        case .refund(.refused(.notRefunded)), .refund(.alreadyReversed): self = .notRefunded
        case .refund(.refused), .refund(.notRefundable), .refund(.reversedByBank):
            self = .notRefundable
        case .refund(.alreadyRequested): self = .alreadyRequested
        case .unknown(.scheduledPrice, _): self = .nothingScheduled
        case .setting(.invalid("price", _)), .setting(.invalid("cohortPrice", _)):
            self = .invalidPrice
        case .setting(.invalid("lines", _)): self = .invalidLines
        case .setting(.noNotificationURL): self = .nobodyListens
        case .setting(.productDeleted): self = .productDeleted
        case .setting(.stillForSale): self = .stillForSale
        case .setting(.sandboxCannotApprove): self = .sandboxCannotApprove
        case .setting(.invalid("expires", _)): self = .invalidCode
        case .purchase(.interrupted): self = .interrupted
        case .unknown(.family, _): self = .unknownFamily
        case .setting(.invalid("sharing", _)): self = .cannotBeHidden
        case .family(let error): self = Outcome(error)
        case .purchase(.paymentsNotAllowed): self = .paymentsNotAllowed
        case .purchase(.requestClosed): self = .requestClosed
        case .purchase(.needsApproval): self = .needsApproval
        case .purchase(.offer(let error)):
            guard let outcome = Outcome(error) else { return nil }
            self = outcome
        case .offerCode(let error):
            guard let outcome = Outcome(error) else { return nil }
            self = outcome
        default: return nil
        }
    }
}

extension BankAnswer {
    init(_ answer: Invoice.Answer) { self = BankAnswer(rawValue: answer.rawValue)! }
}

extension Outcome {
    init(_ outcome: BillOutcome) {
        self =
            switch outcome {
            case .moves: .answered
            case .nothing: .ignored
            case .giveBack: .gaveBack
            case .report: .reported
            }
    }
}

extension NaiveStore {
    /// Everything that the outside can know of a life, to compare.
    func line(of life: Life) -> String {
        // Of a merchant's plan at the prices that its renewal charges.
        let next = life.waiting.map { life.plan.isMerchants ? shownNext(of: life) : $0 }
        return "\(standing(of: life).status) " + life.line(next)
    }
}

extension Life {
    fileprivate func line(_ next: HeldPlan?) -> String {
        let what: String
        switch phase {
        case .running: what = "active"
        case .awaiting(let until): what = "awaiting until \(NaiveCalendar.text(until))"
        case .grace(let until): what = "grace until \(NaiveCalendar.text(until))"
        case .retry: what = "retry"
        case .revoked: what = "revoked"
        case .over(let intent): what = "over (\(intent))"
        }
        let always =
            "\(plan.product)\(plan.billing.text) \(what), "
            + (month.map { "month \($0), " } ?? "") + "period \(NaiveCalendar.text(start)) to "
            + "\(NaiveCalendar.text(end)) for \(paid) \(country.currency), service since "
            + NaiveCalendar.text(serviceStart)
        let lines = " " + lineTexts.joined(separator: "; ")
        guard !isOver else { return always + lines }
        let change =
            next.map { ", then \($0.product)\($0.billing.text) for \($0.price)" }
            ?? ""
        return always + ", renews \(renews) for \(plan.price)\(change)" + lines
    }
}

extension Subscription {
    /// As `NaiveStore.line(of:)`.
    var line: String {
        let what: String
        switch state {
        case .new: what = "new"
        case .active: what = "active"
        case .awaitingPayment(let until): what = "awaiting until \(NaiveCalendar.text(until))"
        case .grace(_, let until): what = "grace until \(NaiveCalendar.text(until))"
        case .retrying: what = "retry"
        case .revoked: what = "revoked"
        case .expired(let reason, _): what = "over (\(reason.rawValue))"
        }
        let always =
            "\(status.rawValue) \(plan.productID)\(Billing(plan.billing).text) \(what), "
            + (newestPeriod.instalment.map { "month \($0), " } ?? "")
            + "period \(NaiveCalendar.text(newestPeriod.start)) to "
            + "\(NaiveCalendar.text(newestPeriod.end)) for \(newestPeriod.price) "
            + "\(plan.currency.code), "
            + "service since \(NaiveCalendar.text(serviceStart))"
        let lines = " " + lineTexts.joined(separator: "; ")
        guard nextChange != nil else { return always + lines }
        let change =
            // Of a merchant's plan at the prices that its renewal charges.
            (nextPlan.map { $0.merchant == nil ? $0 : renewalPlan }).map {
                ", then \($0.productID)\(Billing($0.billing).text) for \($0.price.milliunits)"
            } ?? ""
        return always + ", renews \(renewsAutomatically) for \(plan.price.milliunits)\(change)"
            + lines
    }
}

extension NaiveCalendar {
    static func text(_ instant: Instant) -> String { text(Int(instant.milliseconds)) }
}
