import AppStoreWire
import Journal
import SubscriptionRules
import Testing

@Suite("Entries of a life")
struct TimelineEntryTests {
    private static let moment = Instant(iso8601: "2026-01-31T10:00:00Z")!

    private static let everything: TimelineEntry = {
        var entry = TimelineEntry(sequence: 7, JournalEvent(.chosePlan, at: moment))
        (entry.transactionID, entry.amount, entry.takenAgain) = (8, 9_990, 3)
        entry.isTransactionRevoked = true
        (entry.productID, entry.currency) = ("silver", "USD")
        entry.nextProductID = "bronze"
        (entry.planChange, entry.offerMode) = (.crossgrade, .payAsYouGo)
        entry.offer = NamedOffer(kind: .introductory, id: "")
        entry.nextOffer = NamedOffer(kind: .winBack, id: "back")
        entry.until = moment + .days(1)
        (entry.declined, entry.pending, entry.refunded) = (1, 2, 4)
        (entry.billID, entry.billProductID) = (5, "gold")
        entry.graceUntil = moment + .days(2)
        (entry.oldPrice, entry.newPrice) = (9_990, 19_990)
        entry.newPriceFrom = moment + .days(3)
        entry.pricedProductID = "bronze"
        entry.note = "why"
        entry.notices = ["DID_RENEW"]
        entry.provoked = "REFUND"
        entry.member = "bea"
        entry.instalment = 12
        entry.items = [Alteration(.removed, of: "chess")]
        entry.revoked = true
        return entry
    }()

    @Test("What is told is read again, of every kind, and every member is told")
    func roundTrip() throws {
        for kind in JournalEvent.Kind.allCases {
            var entry = Self.everything
            entry.name = kind.rawValue
            let json = try JSONValue(parsing: entry.jsonBytes())
            #expect(try TimelineEntry(json) == entry)
            #expect(entry.kind == kind)
            #expect(
                Set(json.object?.keys.map(\.self) ?? [])
                    == Set(TimelineEntry.Member.allCases.map(\.rawValue)))
        }
    }

    @Test("What only the journal needs is not told")
    func secrets() {
        var entry = TimelineEntry(sequence: 7, JournalEvent(.chosePlan, at: Self.moment))
        entry.asked = "silver 1"
        entry.changes = ColumnChanges([.init("plan", .text("p"))])
        #expect(
            entry.jsonText()
                == #"{"sequence":7,"at":"2026-01-31T10:00:00Z","event":"chosePlan","notices":[]}"#)
    }

    @Test("An event of a later version keeps its name and what is known of it")
    func later() throws {
        let text = """
            {"sequence":1,"at":"2026-01-31T10:00:00Z","event":"gaveItAway","to":"bea",\
            "productId":"silver","offerMode":"PAY_NEVER"}
            """
        let entry = try TimelineEntry(JSONValue(parsing: text.utf8))
        #expect(entry.kind == nil && entry.name == "gaveItAway")
        #expect(entry.productID == "silver" && entry.offerMode == nil)
    }

    @Test(
        "Without a place, a moment or a name it is no entry",
        arguments: [
            (#"{"at":"2026-01-31T10:00:00Z","event":"chosePlan"}"#, .sequence),
            (#"{"sequence":1,"at":"soon","event":"chosePlan"}"#, .at),
            (#"{"sequence":1,"at":"2026-01-31T10:00:00Z"}"#, .event), ("[]", .sequence),
        ] as [(String, TimelineEntry.Member)])
    func missing(text: String, member: TimelineEntry.Member) throws {
        let json = try JSONValue(parsing: text.utf8)
        let error = #expect(throws: TimelineEntry.Missing.self) { try TimelineEntry(json) }
        #expect(error?.member == member)
    }
}
