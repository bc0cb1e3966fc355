import MerchantRules
import SubscriptionRules
import Testing

/// The life of a purchase is told from what was signed, whatever the order of arrival.
@Suite("Stories of purchases")
struct StoryTests {
    private func day(_ number: Int) -> Instant { Instant(milliseconds: 0) + .days(number) }

    /// A month that begins on a day.
    private func month(
        _ number: Int, from start: Int, of product: String = "monthly", renews: Bool = false,
        isUpgraded: Bool = false, revoked: Int? = nil, share: Int64? = nil
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: String(number), productID: product, groupID: "group",
            kind: .autoRenewable, purchased: day(start), expires: day(start + 30),
            isUpgraded: isUpgraded, revoked: revoked.map(day),
            revocation: revoked.map { _ in .refund }, refundedShare: share, isRenewal: renews)
    }

    private func renewal(
        _ next: String = "monthly", renews: Bool = true, inRetry: Bool = false,
        graceUntil: Int? = nil, intent: Int64? = nil
    ) -> RenewalFacts {
        RenewalFacts(
            nextProductID: next, renewsAutomatically: renews, isInBillingRetry: inRetry,
            graceEnds: graceUntil.map(day), expirationIntent: intent)
    }

    private func notice(
        _ type: String, _ subtype: String? = nil, about transaction: Int, on number: Int
    ) -> Notice {
        Notice(
            uuid: "\(type)-\(number)", type: type, subtype: subtype,
            transactionID: String(transaction), signedAt: day(number))
    }

    /// An event a line: `30 renewed 2`.
    private func lines(
        _ transactions: [TransactionFacts], _ renewal: RenewalFacts? = nil, on number: Int,
        _ notices: [Notice] = []
    ) -> [String] {
        Purchase(transactions: transactions, renewal: renewal)
            .story(at: day(number), notices: notices).map { one in
                let start = one.at.since(day(0)).milliseconds / 86_400_000
                return "\(start) \(one.kind.rawValue) \(one.transaction.transactionID)"
            }
    }

    @Test("A life is told from purchase to end, in whatever order its parts are known")
    func life() {
        let all = [
            month(1, from: 0), month(2, from: 30, renews: true, isUpgraded: true),
            month(3, from: 40, of: "premium"),
        ]
        let end = renewal("premium", renews: false, intent: 1)
        let notices = [
            notice("SUBSCRIBED", about: 1, on: 0), notice("DID_RENEW", about: 2, on: 30),
            notice("EXPIRED", "VOLUNTARY", about: 3, on: 70),
        ]
        let expected = ["0 bought 1", "30 renewed 2", "40 upgraded 3", "70 ended 3"]
        let story = Purchase(transactions: all, renewal: end).story(at: day(80), notices: notices)
        for transactions in [all, all.reversed(), [all[1], all[2], all[0]]] {
            #expect(lines(transactions, end, on: 80, notices) == expected)
            let other = Purchase(transactions: transactions, renewal: end)
                .story(at: day(80), notices: notices.reversed() + notices)
            #expect(other == story)
        }
        #expect(
            story.map { $0.notices.map(\.type) } == [
                ["SUBSCRIBED"], ["DID_RENEW"], [], ["EXPIRED"],
            ])
        #expect(story[2].previousProductID == "monthly")
        #expect(story[3].expirationIntent == 1)
    }

    @Test("A renewal that was not paid is told with its grace period, its retries and its recovery")
    func retry() {
        let first = month(1, from: 0)
        let inRetry = renewal(inRetry: true, graceUntil: 36)
        #expect(lines([first], inRetry, on: 33) == ["0 bought 1", "30 graceBegan 1"])
        #expect(
            lines([first], inRetry, on: 40) == [
                "0 bought 1", "30 graceBegan 1", "36 graceEnded 1",
            ])
        #expect(
            lines([first], renewal(inRetry: true), on: 40) == ["0 bought 1", "30 retryBegan 1"])
        let paid = [first, month(2, from: 41, renews: true)]
        let failed = notice("DID_FAIL_TO_RENEW", about: 1, on: 30)
        #expect(
            lines(paid, renewal(), on: 45, [failed]) == [
                "0 bought 1", "30 retryBegan 1", "41 recovered 2", "71 willRenew 2",
            ])
        // Within grace the billing day stays: only notifications say that it failed before.
        let inGrace = [first, month(2, from: 30, renews: true)]
        #expect(
            lines(inGrace, renewal(), on: 45) == ["0 bought 1", "30 renewed 2", "60 willRenew 2"])
        let told = [
            notice("DID_FAIL_TO_RENEW", "GRACE_PERIOD", about: 1, on: 30),
            notice("DID_RENEW", "BILLING_RECOVERY", about: 2, on: 33),
        ]
        #expect(
            lines(inGrace, renewal(), on: 45, told) == [
                "0 bought 1", "30 graceBegan 1", "33 recoveredInGrace 2", "60 willRenew 2",
            ])
    }

    @Test("A refund is told with its share, and its reversal where a notification says so")
    func refund() {
        let refunded = [month(1, from: 0, revoked: 10, share: 50_000)]
        #expect(lines(refunded, on: 20) == ["0 bought 1", "10 refunded 1"])
        let story = Purchase(transactions: refunded).story(at: day(20))
        #expect(story.last?.refundedShare == 50_000)
        let notices = [
            notice("REFUND", about: 1, on: 10), notice("REFUND_REVERSED", about: 1, on: 12),
        ]
        #expect(
            lines([month(1, from: 0)], on: 20, notices) == [
                "0 bought 1", "10 refunded 1", "12 refundReversed 1", "30 periodWillEnd 1",
            ])
        // The register that shows no refund any more is the newer one.
        #expect(
            lines([month(1, from: 0)], on: 20, [notices[0]]) == [
                "0 bought 1", "30 periodWillEnd 1",
            ])
    }

    @Test("What comes next is told as the renewal information has it")
    func next() {
        let first = [month(1, from: 0)]
        #expect(lines(first, renewal(), on: 1).last == "30 willRenew 1")
        #expect(lines(first, renewal(renews: false), on: 1).last == "30 willEnd 1")
        #expect(lines(first, on: 1).last == "30 periodWillEnd 1")
        let other = Purchase(transactions: first, renewal: renewal("yearly")).story(at: day(1))
        #expect(other.last?.productID == "yearly")
        #expect(other.last?.previousProductID == "monthly")
        #expect(other.filter(\.isAhead).count == 1)
        // Nothing has said what became of it.
        #expect(lines(first, renewal(), on: 31).last == "30 periodEnded 1")
    }

    @Test("Who comes back has bought again, and the plan that changed at the renewal says so")
    func again() {
        let back = [month(1, from: 0), month(2, from: 50)]
        #expect(
            lines(back, renewal(), on: 60) == [
                "0 bought 1", "30 ended 1", "50 boughtAgain 2", "80 willRenew 2",
            ])
        let changed = [month(1, from: 0), month(2, from: 30, of: "lite", renews: true)]
        #expect(
            lines(changed, renewal("lite"), on: 40) == [
                "0 bought 1", "30 changedPlan 2", "60 willRenew 2",
            ])
    }

    @Test(
        "An extension is told by its notification alone; one about another purchase tells nothing")
    func extended() {
        let notices = [
            notice("RENEWAL_EXTENDED", about: 1, on: 20),
            notice("RENEWAL_EXTENDED", about: 9, on: 21),
        ]
        #expect(
            lines([month(1, from: 0)], renewal(), on: 25, notices) == [
                "0 bought 1", "20 extended 1", "30 willRenew 1",
            ])
    }

    @Test("What is bought for good has a beginning, and an end only where it is taken back")
    func owned() {
        var owned = month(1, from: 0, of: "lifetime")
        owned.kind = .nonConsumable
        owned.expires = nil
        #expect(lines([owned], on: 900) == ["0 bought 1"])
        owned.revoked = day(5)
        owned.revocation = .sharing
        #expect(lines([owned], on: 900) == ["0 bought 1", "5 sharingEnded 1"])
    }
}
