import MerchantRules
import SubscriptionRules
import Testing

/// Whether a purchase gives access is a function of what was signed and of time (ING-7).
@Suite("Access")
struct AccessTests {
    private func day(_ number: Int) -> Instant { Instant(milliseconds: 0) + .days(number) }

    /// A month that begins on a day.
    private func month(
        _ number: Int, from start: Int, revoked: Int? = nil,
        _ revocation: TransactionFacts.Revocation = .refund, isUpgraded: Bool = false
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: String(number), productID: "monthly", groupID: "group",
            kind: .autoRenewable, purchased: day(start), expires: day(start + 30),
            isUpgraded: isUpgraded, revoked: revoked.map(day),
            revocation: revoked.map { _ in revocation })
    }

    private func renewal(
        renews: Bool = true, inRetry: Bool = false, graceUntil: Int? = nil, intent: Int64? = nil
    ) -> RenewalFacts {
        RenewalFacts(
            nextProductID: "monthly", renewsAutomatically: renews, isInBillingRetry: inRetry,
            graceEnds: graceUntil.map(day), expirationIntent: intent)
    }

    private func reason(
        _ transactions: [TransactionFacts], _ renewal: RenewalFacts? = nil, on number: Int
    ) -> AccessReason {
        Purchase(transactions: transactions, renewal: renewal).access(at: day(number)).reason
    }

    @Test("A period gives access until its end, and not at its end, without any event")
    func period() {
        let purchase = Purchase(transactions: [month(1, from: 0)], renewal: renewal())
        let access = purchase.access(at: day(29))
        #expect(access.reason == .active)
        #expect(access.until == day(30))
        #expect(access.willRenew == true)
        #expect(access.nextChange == day(30))
        let after = purchase.access(at: day(30))
        #expect(after.reason == .expired)
        #expect(after.until == day(30))
        #expect(after.willRenew == false)
        #expect(after.nextChange == nil)
    }

    @Test("The latest period counts, in whatever order they are known")
    func latest() {
        let months = [month(2, from: 30), month(1, from: 0), month(3, from: 60)]
        #expect(reason(months, on: 89) == .active)
        #expect(reason(months, on: 90) == .expired)
    }

    @Test("Two transactions of one moment are told apart by their number")
    func oneMoment() {
        var first = month(9, from: 0)
        first.expires = day(7)
        let second = month(10, from: 0)
        #expect(reason([first, second], on: 20) == .active)
        #expect(reason([second, first], on: 20) == .active)
    }

    @Test("Grace gives access until its end, then billing retry gives none")
    func grace() {
        let info = renewal(inRetry: true, graceUntil: 46)
        #expect(reason([month(1, from: 0)], info, on: 45) == .gracePeriod)
        #expect(reason([month(1, from: 0)], info, on: 46) == .billingRetry)
    }

    @Test("A renewal on day 59 of billing retry gives access again")
    func recovery() {
        let months = [month(1, from: 0), month(2, from: 89)]
        #expect(reason([month(1, from: 0)], renewal(inRetry: true), on: 89) == .billingRetry)
        // Also where the renewal information is still that of the retry.
        #expect(reason(months, renewal(inRetry: true), on: 90) == .active)
    }

    @Test("A refund of the running period takes access, one of an earlier period does not")
    func refunds() {
        #expect(
            reason([month(1, from: 0), month(2, from: 30, revoked: 35)], on: 36) == .refunded)
        #expect(reason([month(1, from: 0, revoked: 35), month(2, from: 30)], on: 36) == .active)
    }

    @Test("While an earlier period still runs, a later one that was given back takes nothing")
    func overlap() {
        // A renewal is charged before the period that it follows is over.
        let months = [month(1, from: 0), month(2, from: 29, revoked: 29)]
        #expect(reason(months, on: 29) == .active)
        #expect(reason(months, on: 30) == .refunded)
    }

    @Test("Whoever shares no more is another reason than a refund")
    func sharing() {
        #expect(reason([month(1, from: 0, revoked: 5, .sharing)], on: 6) == .sharingEnded)
    }

    @Test("What another plan has replaced gives nothing; the new plan does")
    func upgrade() {
        let old = month(1, from: 0, isUpgraded: true)
        #expect(reason([old], on: 10) == .upgraded)
        #expect(reason([old, month(2, from: 10)], on: 11) == .active)
        #expect(reason([month(2, from: 10), old], on: 39) == .active)
    }

    @Test("A refund of an upgrade does not bring back the plan that it replaced")
    func refundedUpgrade() {
        // The store has not signed yet that the old one was replaced.
        let plans = [month(1, from: 0), month(2, from: 10, revoked: 12)]
        #expect(reason(plans, on: 13) == .refunded)
        #expect(reason(plans + [month(3, from: 14)], on: 15) == .active)
    }

    @Test("Turning renewal off takes nothing before the end")
    func turnedOff() {
        let purchase = Purchase(
            transactions: [month(1, from: 0)], renewal: renewal(renews: false))
        #expect(purchase.access(at: day(10)).reason == .active)
        #expect(purchase.access(at: day(10)).willRenew == false)
    }

    @Test("Within the leeway access waits for news of the renewal, where it was to come")
    func leeway() {
        var policy = AccessPolicy()
        policy.leeway = .hours(2)
        let end = day(30)
        func reason(_ info: RenewalFacts?, _ moment: Instant) -> AccessReason {
            Purchase(transactions: [month(1, from: 0)], renewal: info)
                .access(at: moment, under: policy).reason
        }
        #expect(reason(renewal(), end) == .awaitingRenewal)
        #expect(reason(renewal(), end + .hours(2)) == .expired)
        #expect(reason(renewal(renews: false), end) == .expired)
        #expect(reason(renewal(intent: 1), end) == .expired)
        #expect(reason(nil, end) == .expired)
    }

    @Test("What was bought for good stays until it is taken back")
    func owned() {
        let bought = TransactionFacts(
            transactionID: "1", productID: "lifetime", kind: .nonConsumable, purchased: day(0))
        #expect(reason([bought], on: 30_000) == .owned)
        var taken = bought
        taken.revoked = day(3)
        taken.revocation = .refund
        #expect(reason([taken], on: 4) == .refunded)
    }

    @Test("A non-renewing subscription ends where its length is known")
    func nonRenewing() {
        let season = TransactionFacts(
            transactionID: "1", productID: "season", kind: .nonRenewing, purchased: day(0))
        #expect(reason([season], on: 30_000) == .owned)
        var policy = AccessPolicy()
        policy.durations = ["season": CalendarPeriod(3, .month)]
        let purchase = Purchase(transactions: [season])
        // From 1 January 1970 to 1 April.
        #expect(purchase.access(at: day(89), under: policy).reason == .active)
        #expect(purchase.access(at: day(90), under: policy).reason == .expired)
    }

    @Test("A renewal to another product that is charged early takes nothing from what runs")
    func earlyRenewal() {
        var renewed = month(2, from: 29)
        renewed.productID = "basic"
        renewed.isRenewal = true
        let purchase = Purchase(transactions: [month(1, from: 0), renewed])
        #expect(purchase.access(at: day(29)).transaction.productID == "monthly")
        #expect(purchase.access(at: day(29)).nextChange == day(30))
        #expect(purchase.access(at: day(30)).transaction.productID == "basic")
        // What was replaced before that does not come back, though nobody has said so.
        let year = TransactionFacts(
            transactionID: "0", productID: "yearly", groupID: "group", kind: .autoRenewable,
            purchased: day(-10), expires: day(355))
        let replaced = Purchase(transactions: [year, month(1, from: 0), renewed])
        #expect(replaced.access(at: day(31)).transaction.productID == "basic")
        // A purchase in its place is an upgrade, and counts at once.
        renewed.isRenewal = false
        let upgraded = Purchase(transactions: [month(1, from: 0), renewed])
        #expect(upgraded.access(at: day(29)).transaction.productID == "basic")
    }

    @Test("The date of a grace period gives nothing once the store has stopped trying")
    func graceWithoutRetry() {
        let info = renewal(renews: false, graceUntil: 46, intent: 1)
        #expect(reason([month(1, from: 0)], info, on: 31) == .expired)
    }

    @Test(
        "A refund takes its share of what was bought, rounded up",
        arguments: [
            (10, nil, 0), (10, 50_000, 5), (1_000, 67_932, 320), (3, 1, 2), (1, 100_000, 0),
            (7, 0, 7), (7, 200_000, 0),
        ] as [(Int64, Int64?, Int64)])
    func shares(quantity: Int64, share: Int64?, left: Int64) {
        var bought = TransactionFacts(
            transactionID: "1", productID: "coins", kind: .consumable, purchased: day(0),
            quantity: quantity, refundedShare: share)
        #expect(bought.quantityLeft == quantity)
        bought.revoked = day(1)
        #expect(bought.quantityLeft == left)
    }

    @Test("Of several purchases the one with access counts, then the one that lasts longest")
    func best() {
        let (short, long) = (month(1, from: 0), month(2, from: 20))
        let ended = month(3, from: 900, revoked: 901)
        func access(_ transaction: TransactionFacts) -> Access {
            Purchase(transactions: [transaction]).access(at: day(25))
        }
        for order in [[short, long, ended], [ended, long, short], [long, ended, short]] {
            let best = Access.best(of: order.map(access))
            #expect(best?.transaction.transactionID == "2")
        }
        #expect(Access.best(of: []) == nil)
    }
}
