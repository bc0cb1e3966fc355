import SubscriptionRules
import Testing

@testable import Timeline

@Suite("The drawing of a life")
struct TimelineDrawingTests {
    @Test("Five years of renewals are a band with years, and their list is folded")
    func fiveYears() {
        expectDrawing(
            Lives.fiveYears, Style(),
            """
            com.example.garden.estate.monthly
            anna · active, renews 2031-02-28 00:00 · 9.99 USD
            subscription 400000000000005 · 60 renewals · 609.39 USD paid in all

                                                                                        ▼
              ████████████████████████████████████████████████████████████████████████████
              ─────────────┴──────────────┴──────────────┴──────────────┴──────────────┴──
                           2027           2028           2029           2030          2031
              █ paid   ▼ now

            2026-01-31 00:00  bought monthly       9.99 USD  SUBSCRIBED/INITIAL_BUY
                                transaction 400000000000009
            2026-02-28 00:00  renewed              9.99 USD  DID_RENEW
                                transaction 400000000000009
                              … 58 renewals, 9.99 USD each
            2031-01-31 00:00  renewed              9.99 USD  DID_RENEW
                                transaction 400000000000009
            """)
    }

    @Test("Unfolded, each renewal has its line and its transaction")
    func unfolded() {
        let lines = TimelineDrawing.lines(of: Lives.fiveYears, style: Style(), folds: false)
        #expect(lines.count { $0.contains("  renewed  ") } == 60)
        #expect(lines.count { $0 == "                    transaction 400000000000009" } == 61)
    }

    @Test("Trial, upgrade, grace, retry and end each have their own look")
    func stormy() {
        expectDrawing(
            Lives.stormy, Style(),
            """
            com.example.garden.flowers.monthly
            anna · active, renews 2027-06-01 00:00 · 4.99 USD
            subscription 400000000000005 · 10 renewals · 71.50 USD paid in all

                                       ↑                  →             ✕               ▼
              ░░░░████▉████▉████▉███▉█▉████▉████▉████▒▒▒··████▉████▉█████▁▁▁▁▁▁▁▁▁▁▁▁█████
              ─────────┴─────────────┴──────────────┴─────────────┴─────────────┴─────────
                       Apr 2026      Jul            Oct           2027          Apr
              █ paid   ░ free trial   ▒ grace period   · billing retry   ▁ expired
              ↑ upgrade   → other plan   ✕ end   ▼ now

            2026-01-31 00:00  bought flowers.monthly           free  SUBSCRIBED/INITIAL_BUY
                                on trial until 2026-02-28 00:00
                                transaction 400000000000009
            2026-02-28 00:00  renewed                      4.99 USD  DID_RENEW
                                transaction 400000000000009
                              … 3 renewals, 4.99 USD each
            2026-06-30 00:00  renewed                      4.99 USD  DID_RENEW
                                transaction 400000000000009
            2026-07-10 00:00  upgraded to estate.monthly   9.99 USD  DID_CHANGE_RENEWAL_PREF
                                refunded                  -3.38 USD    /UPGRADE
                                transaction 400000000000009
            2026-08-10 00:00  renewed                      9.99 USD  DID_RENEW
                                transaction 400000000000009
            2026-09-10 00:00  renewed                      9.99 USD  DID_RENEW
                                transaction 400000000000009
            2026-09-20 00:00  chose flowers.monthly                  DID_CHANGE_RENEWAL_PREF
                                from the next renewal on               /DOWNGRADE
            2026-10-10 00:00  payment declined                       DID_FAIL_TO_RENEW
                                grace until 2026-10-26 00:00           /GRACE_PERIOD
                              … 15 attempts declined
            2026-10-26 00:00  grace period over                      GRACE_PERIOD_EXPIRED
                                billing retry goes on
                              … 15 attempts declined
            2026-11-10 00:00  recovered                    4.99 USD  DID_RENEW
                                as flowers.monthly                     /BILLING_RECOVERY
                                by a new payment method
                                transaction 400000000000009
            2026-12-10 00:00  renewed                      4.99 USD  DID_RENEW
                                transaction 400000000000009
            2027-01-10 00:00  renewed                      4.99 USD  DID_RENEW
                                transaction 400000000000009
            2027-01-15 12:30  turned renewal off
                                → DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
            2027-02-10 00:00  expired                                EXPIRED/VOLUNTARY
                                renewal was off
            2027-05-01 00:00  bought again                 4.99 USD  SUBSCRIBED/RESUBSCRIBE
                                transaction 400000000000009
            """)
    }

    @Test("Where only ASCII is shown, every glyph has a plain one")
    func ascii() {
        expectDrawing(
            Lives.sandbox, Style(columns: 60, isASCII: true),
            """
            com.example.garden.estate.monthly
            anna - expired 2026-01-31 11:07:13 - 9.99 USD
            subscription 400000000000005 - 12 renewals
            129.87 USD paid in all

                                                           x         v
              ==|===|==|===|==|===|==|===|==|===|==|===|===___________
              -------------------+--------------------+---------------
                                 2026-01-31 10:30     11:00
              = paid   _ expired   x end   v now

            2026-01-31 10:02:13  bought monthly       9.99 USD
                                   transaction 400000000000009
                                   > SUBSCRIBED/INITIAL_BUY
            2026-01-31 10:07:13  renewed              9.99 USD
                                   transaction 400000000000009
                                   > DID_RENEW
                                 ... 10 renewals, 9.99 USD each
            2026-01-31 11:02:13  renewed              9.99 USD
                                   transaction 400000000000009
                                   > DID_RENEW
            2026-01-31 11:07:13  expired
                                   Sandbox renews no further
                                   > DID_CHANGE_RENEWAL_STATUS
                                       /AUTO_RENEW_DISABLED
                                   > EXPIRED/VOLUNTARY
            """)
    }

    @Test("No line is longer than the terminal is wide", arguments: [60, 80, 100, 120, 160])
    func width(columns: Int) {
        for life in [Lives.fiveYears, Lives.stormy, Lives.sandbox] {
            for line in TimelineDrawing.lines(of: life, style: Style(columns: columns)) {
                #expect(line.count <= columns, "\(line)")
            }
        }
    }

    @Test("Colours change nothing but the colours")
    func colours() {
        for life in [Lives.fiveYears, Lives.stormy, Lives.sandbox] {
            let plain = TimelineDrawing.lines(of: life, style: Style())
            let coloured = TimelineDrawing.lines(of: life, style: Style(hasColours: true))
            #expect(coloured != plain)
            #expect(coloured.map { withoutColours($0).trimmingEnd() } == plain)
        }
    }

    @Test("A plain drawing has no escapes and an ASCII one no other characters")
    func characters() {
        for life in [Lives.fiveYears, Lives.stormy, Lives.sandbox] {
            let plain = TimelineDrawing.lines(of: life, style: Style()).joined()
            #expect(!plain.contains("\u{1B}"))
            let ascii = TimelineDrawing.lines(of: life, style: Style(isASCII: true)).joined()
            let isASCII = ascii.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            #expect(isASCII)
        }
    }

    @Test("A life without entries is a heading")
    func empty() {
        let life = Lives.life(
            [], expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-02-01"))
        #expect(TimelineDrawing.lines(of: life, style: Style()).count == 3)
    }

    /// Compares line by line, so that a failure shows the line. A shorter text is the beginning.
    private func expectDrawing(_ life: Life, _ style: Style, _ golden: String) {
        let lines = TimelineDrawing.lines(of: life, style: style)
        let expected = golden.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        #expect(lines == expected, "\(lines.joined(separator: "\n"))")
    }

    private func withoutColours(_ text: String) -> String {
        var plain = ""
        var isEscape = false
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape { plain.append(character) }
            if isEscape, character == "m" { isEscape = false }
        }
        return plain
    }
}
