import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("Pending payments in words")
struct PendingPaymentWordsTests {
    private static let newest: Int64 = 400_000_000_000_009

    /// A period from 31 January to 28 February 2026, then some events.
    private func life(_ entries: TimelineEntry...) -> Life {
        Lives.life(
            [
                Lives.entry(
                    "2026-01-31", "chosePlan", opens: Lives.moment("2026-02-28"), amount: 9990,
                    notices: ["SUBSCRIBED/INITIAL_BUY"])
            ] + entries, expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-03-20"))
    }

    private func entry(
        _ at: String, _ event: String, notices: [String] = [],
        _ change: (inout TimelineEntry) -> Void = { _ in }
    ) -> TimelineEntry {
        var entry = Lives.entry(at, event, notices: notices)
        entry.until = Lives.moment("2026-02-28")
        change(&entry)
        return entry
    }

    /// An event that leaves a payment pending.
    private func asking(
        _ at: String, _ event: String, notices: [String] = [], for product: String? = nil,
        access: String? = nil
    ) -> TimelineEntry {
        entry(at, event, notices: notices) {
            $0.pending = 9990
            $0.billID = Self.newest
            $0.billProductID = product
            $0.graceUntil = access.map(Lives.moment)
        }
    }

    @Test(
        "Every event of the journal has words of its own",
        arguments: [
            "chosePlan", "becameDue", "changedPaymentMethod", "turnedRenewalOff",
            "turnedRenewalOn", "provokedNotification", "wasEnded", "wasPaid", "wasDeclined",
            "wasVoided", "gaveUpWaiting", "declined", "asked", "unexpectedAnswer",
            "gavePaymentBack", "priceWasChanged", "agreedToPriceIncrease",
            "declinedPriceIncrease", "wasExtended", "extensionFailed", "requestedRefund",
            "refundWasDeclined", "refundWasReversed", "setAppAccountToken",
            "broughtUpToDate",
        ])
    func named(event: String) throws {
        for bill in [nil, Self.newest] where event != "becameDue" || bill != nil {
            let life = life(entry("2026-02-10", event) { $0.billID = bill })
            let text = try #require(life.events.last?.text)
            let isPlain = ["turnedRenewalOff", "turnedRenewalOn"].contains(event)
            #expect(text != event && (isPlain || text != Words.spelledOut(event)), "\(event)")
            #expect(!text.isEmpty)
        }
    }

    @Test("A renewal is pending, then still pending, then paid")
    func renewal() {
        let life = life(
            asking("2026-02-28", "becameDue", access: "2026-03-06"),
            entry("2026-03-06", "becameDue", notices: ["DID_FAIL_TO_RENEW"]) {
                $0.billID = Self.newest
            },
            entry("2026-03-10", "wasPaid", notices: ["DID_RENEW/BILLING_RECOVERY"]) {
                $0.transactionID = Self.newest
                $0.amount = 9990
                $0.until = Lives.moment("2026-04-10")
            })
        let told = life.events.dropFirst().map { [$0.text] + $0.notes.map(\.text) }
        #expect(
            told == [
                ["payment of 9.99 USD pending", "access until 2026-03-06 00:00"],
                ["payment still pending", "billing retry begins"],
                ["recovered", "pending since 2026-02-28 00:00"],
            ])
        #expect(life.stretches.map(\.kind) == [.paid, .pending, .retry, .paid])
        #expect(life.renewals == 1)
    }

    @Test("A renewal that was awaited is declined, into grace or billing retry")
    func declined() {
        for grace in [nil, "2026-03-16"] as [String?] {
            let life = life(
                asking("2026-02-28", "becameDue", access: "2026-03-16"),
                entry("2026-03-02", "wasDeclined", notices: ["DID_FAIL_TO_RENEW"]) {
                    $0.declined = 9990
                    $0.graceUntil = grace.map(Lives.moment)
                })
            let last = life.events.last
            #expect(last?.text == "pending payment declined")
            #expect(
                last?.notes.map(\.text) == [
                    grace.map { "grace until \($0) 00:00" } ?? "billing retry begins"
                ])
            #expect(
                life.stretches.map(\.kind) == [.paid, .pending, grace == nil ? .retry : .grace])
        }
    }

    @Test(
        "What was chosen and not paid changes nothing but the list",
        arguments: [
            ("wasDeclined", "payment for flowers.monthly declined", nil),
            ("wasVoided", "payment for flowers.monthly given up", nil),
            (
                "gaveUpWaiting", "payment for flowers.monthly given up", "the bank did not answer"
            ),
        ] as [(String, String, String?)])
    func notPaid(event: String, text: String, note: String?) {
        let life = life(
            asking("2026-02-10", "chosePlan", for: Lives.flowers),
            entry("2026-02-11", event) {
                $0.declined = event == "wasDeclined" ? 4990 : nil
                $0.billProductID = Lives.flowers
            })
        #expect(life.events[1].text == "asked for flowers.monthly")
        #expect(life.events[1].notes.map(\.text) == ["9.99 USD pending"])
        #expect(life.events.last?.text == text)
        #expect(life.events.last?.notes.map(\.text) == [note].compactMap(\.self))
        #expect(life.stretches.map(\.kind) == [.paid])
        #expect(life.marks.map(\.kind) == [.now])
    }

    @Test(
        "A plan that was paid later is an upgrade or another plan, and no renewal",
        arguments: [
            (.upgrade, "upgraded to flowers.monthly", Mark.Kind.upgrade),
            (.crossgrade, "changed to flowers.monthly", Mark.Kind.planChange),
        ] as [(JournalDetail.PlanStep, String, Mark.Kind)])
    func planChange(kind: JournalDetail.PlanStep, text: String, mark: Mark.Kind) {
        var choice = asking("2026-02-10", "chosePlan", for: Lives.flowers)
        choice.planChange = kind
        let life = life(
            choice,
            entry("2026-02-11", "wasPaid", notices: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"]) {
                $0.transactionID = Self.newest
                $0.amount = 4990
                $0.productID = Lives.flowers
            })
        #expect(life.events.last?.text == text)
        #expect(life.marks.map(\.kind) == [mark, .now])
        #expect(life.renewals == 0)
    }

    @Test(
        "Other lines of the same product are another plan, which voids an increase",
        arguments: [true, false])
    func otherLines(atOnce: Bool) {
        let rise = entry("2026-02-05", "priceWasChanged") {
            ($0.oldPrice, $0.newPrice) = (9990, 10_990)
        }
        func opens(_ entry: inout TimelineEntry) {
            (entry.transactionID, entry.amount) = (Self.newest, 4990)
            if atOnce { entry.planChange = .crossgrade }
        }
        var asked = asking("2026-02-10", "chosePlan")
        asked.planChange = .crossgrade
        let upgrade = ["DID_CHANGE_RENEWAL_PREF/UPGRADE"]
        let life =
            atOnce
            ? life(rise, entry("2026-02-11", "chosePlan", notices: upgrade, opens))
            : life(rise, asked, entry("2026-02-11", "wasPaid", notices: upgrade, opens))
        let last = life.events.last
        #expect(last?.text == "changed the lines of monthly")
        #expect(last?.notes.map(\.text).contains("the increase to 10.99 USD is void") == true)
        #expect(life.marks.map(\.kind) == [.planChange, .now])
        #expect(life.renewals == 0)
    }

    @Test("What another version brought up to date leaves what is told after it as it is")
    func broughtUpToDate() {
        let rise = entry("2026-02-05", "priceWasChanged") {
            ($0.oldPrice, $0.newPrice) = (9990, 10_990)
        }
        let off = entry(
            "2026-02-12", "turnedRenewalOff",
            notices: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        var migrated = entry("2026-02-10", "broughtUpToDate")
        (migrated.productID, migrated.currency, migrated.until) = (nil, nil, nil)
        let (plain, told) = (life(rise, off), life(rise, migrated, off))
        #expect(told.events[2].text == "brought up to date by another version")
        #expect(told.events.last == plain.events.last)
        #expect(told.stretches == plain.stretches && told.marks == plain.marks)
    }

    @Test(
        "What is about a bill alone leaves the plan, the band and the marks as they are",
        arguments: [
            ("declined", "payment for flowers.monthly declined"),
            ("unexpectedAnswer", "answer of the bank that cannot be"),
            ("gavePaymentBack", "late payment went back"),
        ])
    func besides(event: String, text: String) {
        let life = life(
            entry("2026-02-10", event) {
                $0.productID = Lives.flowers
                $0.billID = 400_000_000_000_011
                $0.declined = event == "declined" ? 4990 : nil
            },
            entry("2026-02-28", "becameDue", notices: ["DID_RENEW"]) {
                $0.transactionID = Self.newest
                $0.amount = 9990
                $0.until = Lives.moment("2026-03-31")
            })
        #expect(life.events[1].text == text)
        let amount = event == "declined" ? "4.99 USD, " : ""
        #expect(life.events[1].notes.map(\.text) == ["\(amount)bill 400000000000011"])
        #expect(life.events[2].notes.isEmpty)
        #expect(life.stretches.map(\.kind) == [.paid, .paid])
        #expect(life.marks.map(\.kind) == [.now])
    }

    @Test("Attempts that were pending and then declined fold in pairs, and leave no rest alone")
    func folded() {
        let attempts = (1...3).flatMap { day in
            [
                asking("2026-03-0\(day)", "becameDue"),
                entry("2026-03-0\(day)", "wasDeclined") { $0.declined = 9990 },
            ]
        }
        var life = life(
            entry("2026-02-28", "becameDue", notices: ["DID_FAIL_TO_RENEW"]) {
                $0.declined = 9990
            })
        life.entries += attempts
        let lines = ChronicleLines(Chronicle(life), style: Style()).lines
        #expect(
            lines.last == "                  … 3 payments of 9.99 USD pending, then declined",
            "\(lines)")
        life.entries.removeLast()
        #expect(
            ChronicleLines(Chronicle(life), style: Style()).lines.last?.hasSuffix(
                "9.99 USD pending") == true)
        #expect(
            ChronicleLines(Chronicle(life, folds: false), style: Style()).lines.count > lines.count)
    }
}
