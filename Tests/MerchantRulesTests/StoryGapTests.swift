import MerchantRules
import SubscriptionRules
import Testing

/// Registers with a hole do not say what happened in it, and what ended is told as it was.
@Suite("Stories of purchases: gaps and ends")
struct StoryGapTests {
    private func day(_ number: Int) -> Instant { Instant(milliseconds: 0) + .days(number) }

    private func month(
        _ number: Int, from start: Int, renews: Bool = true, revoked: Int? = nil
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: String(number), productID: "monthly", groupID: "group",
            kind: .autoRenewable, purchased: day(start), expires: day(start + 30),
            revoked: revoked.map(day), revocation: revoked.map { _ in .refund },
            isRenewal: renews)
    }

    /// What is signed of a subscription after the store has stopped trying.
    private func over(
        on signed: Int, intent: Int64, graceUntil: Int? = nil
    ) -> RenewalFacts {
        RenewalFacts(
            nextProductID: "monthly", renewsAutomatically: intent != 1, expirationIntent: intent,
            signed: day(signed),
            lastGrace: graceUntil.map { RenewalFacts.Grace(ends: day($0), signed: day(30)) })
    }

    private func notice(
        _ type: String, _ subtype: String? = nil, about transaction: Int, on number: Int
    ) -> Notice {
        Notice(
            uuid: "\(type)-\(number)", type: type, subtype: subtype,
            transactionID: String(transaction), signedAt: day(number))
    }

    private func lines(_ story: [Happening]) -> [String] {
        story.map { one in
            let start = one.at.since(day(0)).milliseconds / 86_400_000
            return "\(start) \(one.kind.rawValue) \(one.transaction.transactionID)"
        }
    }

    private func lines(
        _ transactions: [TransactionFacts], _ renewal: RenewalFacts? = nil, on number: Int,
        _ notices: [Notice] = []
    ) -> [String] {
        let purchase = Purchase(transactions: transactions, renewal: renewal)
        return lines(purchase.story(at: day(number), notices: notices))
    }

    @Test("Of months of which nothing was heard it says that nothing is known")
    func hole() {
        let parts = [month(1, from: 0, renews: false), month(5, from: 120)]
        let story = Purchase(transactions: parts).story(at: day(125))
        #expect(
            lines(story) == [
                "0 bought 1", "30 unknown 1", "120 renewed 5", "150 periodWillEnd 5",
            ])
        #expect(story[1].until == day(120))
        // Also where the renewal is merely late: its end may have been moved.
        #expect(
            lines([month(1, from: 0, renews: false), month(2, from: 41)], on: 45) == [
                "0 bought 1", "30 unknown 1", "41 renewed 2", "71 periodWillEnd 2",
            ])
    }

    @Test("A payment that failed before a hole is told, and not that it went on for months")
    func failureBeforeHole() {
        let parts = [month(1, from: 0, renews: false), month(5, from: 120)]
        let failed = notice("DID_FAIL_TO_RENEW", about: 1, on: 31)
        #expect(
            lines(parts, on: 125, [failed]) == [
                "0 bought 1", "30 retryBegan 1", "31 unknown 1", "120 renewed 5",
                "150 periodWillEnd 5",
            ])
        let recovered = notice("DID_RENEW", "BILLING_RECOVERY", about: 5, on: 120)
        #expect(
            lines(parts, on: 125, [recovered]) == [
                "0 bought 1", "30 unknown 1", "120 recovered 5", "150 periodWillEnd 5",
            ])
    }

    @Test("A recovery on day 45 of billing retry is told with the grace period before it")
    func lateRecovery() {
        let parts = [month(1, from: 0, renews: false), month(2, from: 75)]
        let told = [
            notice("DID_FAIL_TO_RENEW", "GRACE_PERIOD", about: 1, on: 30),
            notice("GRACE_PERIOD_EXPIRED", about: 1, on: 46),
            notice("DID_RENEW", "BILLING_RECOVERY", about: 2, on: 75),
        ]
        #expect(
            lines(parts, on: 80, told) == [
                "0 bought 1", "30 graceBegan 1", "46 graceEnded 1", "75 recovered 2",
                "105 periodWillEnd 2",
            ])
    }

    @Test("Access that ran until the end of a grace period ended then, though nobody paid")
    func unpaidGrace() {
        let first = month(1, from: 0, renews: false)
        let purchase = Purchase(
            transactions: [first], renewal: over(on: 90, intent: 2, graceUntil: 46))
        #expect(purchase.access(at: day(91)).until == day(46))
        #expect(purchase.access(at: day(91)).reason == .expired)
        let told = [
            notice("DID_FAIL_TO_RENEW", "GRACE_PERIOD", about: 1, on: 30),
            notice("GRACE_PERIOD_EXPIRED", about: 1, on: 46),
            notice("EXPIRED", "BILLING_RETRY", about: 1, on: 90),
        ]
        let story = purchase.story(at: day(91), notices: told)
        #expect(
            lines(story) == ["0 bought 1", "30 graceBegan 1", "46 graceEnded 1", "90 ended 1"])
        #expect(story.last?.expirationIntent == 2)
        #expect(story[1].until == day(46))
        // The register alone tells of the grace period too.
        #expect(
            lines(purchase.story(at: day(91))) == ["0 bought 1", "30 graceBegan 1", "46 ended 1"])
    }

    @Test("Retries without a grace period stay in the story once they have ended unpaid")
    func unpaidRetry() {
        let first = month(1, from: 0, renews: false)
        let told = [
            notice("DID_FAIL_TO_RENEW", about: 1, on: 30),
            notice("EXPIRED", "BILLING_RETRY", about: 1, on: 90),
        ]
        let end = over(on: 90, intent: 2)
        #expect(
            lines([first], end, on: 91, told) == ["0 bought 1", "30 retryBegan 1", "90 ended 1"])
        let purchase = Purchase(transactions: [first], renewal: end)
        #expect(purchase.access(at: day(91)).until == day(30))
    }

    @Test("Who turns renewal off in the grace period had access until then (REN-3)")
    func cancelledInGrace() {
        let purchase = Purchase(
            transactions: [month(1, from: 0, renews: false)],
            renewal: over(on: 35, intent: 1, graceUntil: 46))
        #expect(purchase.access(at: day(40)).until == day(35))
        #expect(purchase.access(at: day(40)).isGranted == false)
        #expect(
            lines(purchase.story(at: day(40))) == ["0 bought 1", "30 graceBegan 1", "35 ended 1"])
    }

    @Test("The grace period of an earlier period says nothing of a later one")
    func earlierGrace() {
        let parts = [month(1, from: 0, renews: false), month(2, from: 30)]
        var end = over(on: 60, intent: 1)
        end.lastGrace = RenewalFacts.Grace(ends: day(62), signed: day(30))
        let purchase = Purchase(transactions: parts, renewal: end)
        #expect(purchase.access(at: day(70)).until == day(60))
    }

    @Test("A payment within the grace period is told as one, when it was made")
    func recoveredInGrace() {
        let parts = [month(1, from: 0, renews: false), month(2, from: 30)]
        let recovered = notice("DID_RENEW", "BILLING_RECOVERY", about: 2, on: 33)
        let failed = notice("DID_FAIL_TO_RENEW", "GRACE_PERIOD", about: 1, on: 30)
        let expected = [
            "0 bought 1", "30 graceBegan 1", "33 recoveredInGrace 2", "60 periodWillEnd 2",
        ]
        #expect(lines(parts, on: 40, [recovered, failed]) == expected)
        var renewal = RenewalFacts(
            nextProductID: "monthly", renewsAutomatically: true, signed: day(33))
        renewal.lastGrace = RenewalFacts.Grace(ends: day(46), signed: day(30))
        #expect(
            lines(parts, renewal, on: 40) == [
                "0 bought 1", "30 graceBegan 1", "30 recoveredInGrace 2", "60 willRenew 2",
            ])
    }

    @Test("A refund after a lapse leaves the end where it was")
    func refundAfterLapse() {
        let purchase = Purchase(
            transactions: [month(1, from: 0, renews: false, revoked: 60)],
            renewal: over(on: 30, intent: 1))
        let access = purchase.access(at: day(70))
        #expect(access.reason == .refunded)
        #expect(access.until == day(30))
        #expect(
            lines(purchase.story(at: day(70))) == ["0 bought 1", "30 ended 1", "60 refunded 1"])
        // Who buys again has two lives, and the refund is of the first.
        let back = [
            month(1, from: 0, renews: false, revoked: 60), month(2, from: 80, renews: false),
        ]
        #expect(
            lines(back, on: 85) == [
                "0 bought 1", "30 ended 1", "60 refunded 1", "80 boughtAgain 2",
                "110 periodWillEnd 2",
            ])
    }

    @Test("A refund that was reversed and the one after it rest on their own notifications")
    func refundedTwice() {
        let notices = [
            notice("REFUND", about: 1, on: 5), notice("REFUND_REVERSED", about: 1, on: 7),
            notice("REFUND", about: 1, on: 9),
        ]
        let refunded = month(1, from: 0, renews: false, revoked: 9)
        let story = Purchase(transactions: [refunded]).story(at: day(10), notices: notices)
        #expect(
            lines(story) == ["0 bought 1", "5 refunded 1", "7 refundReversed 1", "9 refunded 1"])
        #expect(
            story.map { $0.notices.map(\.uuid) } == [
                [], ["REFUND-5"], ["REFUND_REVERSED-7"], ["REFUND-9"],
            ])
        #expect(story.map(\.isReversed) == [false, true, false, false])
    }

    @Test("While the leeway runs access goes on, and the story says until when")
    func leeway() {
        var policy = AccessPolicy()
        policy.leeway = .days(2)
        let renewal = RenewalFacts(nextProductID: "monthly", renewsAutomatically: true)
        let purchase = Purchase(
            transactions: [month(1, from: 0, renews: false)], renewal: renewal)
        let story = purchase.story(at: day(31), under: policy)
        #expect(lines(story) == ["0 bought 1", "30 awaitingRenewal 1"])
        #expect(story.last?.until == day(32))
        #expect(
            lines(purchase.story(at: day(32), under: policy)) == ["0 bought 1", "30 periodEnded 1"])
    }

    @Test(
        "A renewal that needs consent says so while nobody has answered",
        arguments: [(0, true), (1, false), (nil, false)] as [(Int64?, Bool)])
    func consent(status: Int64?, isNeeded: Bool) {
        let renewal = RenewalFacts(
            nextProductID: "monthly", renewsAutomatically: true, priceIncreaseStatus: status)
        let purchase = Purchase(
            transactions: [month(1, from: 0, renews: false)], renewal: renewal)
        #expect(purchase.access(at: day(20)).willRenew == true)
        let next = purchase.story(at: day(20)).last
        #expect(next?.kind == .willRenew)
        #expect(next?.at == day(30))
        #expect(next?.needsConsent == isNeeded)
    }
}
