import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("Items as lanes")
struct ItemLaneTests {
    /// Three items; one is called something else, one goes, one comes later and is refunded.
    private static let paper: Life = {
        var bought = Lives.entry(
            "2026-01-31", "chosePlan", opens: Lives.moment("2026-02-28"), amount: 14_090)
        bought.items = [
            item(.added, "news", price: 9_990), item(.added, "chess", price: 3_100),
            item(.added, "go", price: 1_000), item(.paid, "news", amount: 9_990),
            item(.paid, "chess", amount: 3_100), item(.paid, "go", amount: 0),
        ]
        var renamed = Lives.entry("2026-02-10", "merchantDescribed", notices: ["METADATA_UPDATE"])
        renamed.items = [item(.renamed, "daily", was: "news", price: 9_990)]
        var changed = Lives.entry("2026-02-12", "merchantModified")
        changed.items = [
            item(.removed, "go", from: Lives.moment("2026-02-28")),
            item(.repriced, "chess", price: 2_100, from: Lives.moment("2026-02-28"), .accepted),
        ]
        var renewed = Lives.entry(
            "2026-02-28", "becameDue", opens: Lives.moment("2026-03-31"), amount: 12_090,
            notices: ["DID_RENEW"])
        renewed.items = [
            item(.repriced, "chess", price: 2_100), item(.removed, "go"),
            item(.paid, "daily", amount: 9_990), item(.paid, "chess", amount: 2_100),
        ]
        var added = Lives.entry(
            "2026-03-10", "merchantModified", opens: Lives.moment("2026-03-31"), amount: 4_200)
        added.items = [
            item(.added, "sport", price: 6_200), item(.paid, "sport", amount: 4_200),
        ]
        var refunded = Lives.entry("2026-03-20", "itemsWereRefunded", notices: ["REFUND"])
        refunded.refunded = 2_100
        refunded.items = [item(.removed, "chess"), item(.refunded, "chess", amount: 2_100)]
        return Lives.life(
            [bought, renamed, changed, renewed, added, refunded],
            expires: Lives.moment("2026-03-31"), now: Lives.moment("2026-03-25"))
    }()

    private static func item(
        _ kind: Alteration.Kind, _ sku: String, was: String? = nil, price: Int64? = nil,
        amount: Int64? = nil, from: Instant? = nil, _ status: Alteration.Status? = nil
    ) -> Alteration {
        var one = Alteration(kind, of: sku, from: from)
        (one.formerSKU, one.price, one.amount, one.status) = (was, price, amount, status)
        return one
    }

    private func lines(_ life: Life, _ style: Style = Style(columns: 80)) -> [String] {
        TimelineDrawing.lines(of: life, style: style)
    }

    @Test("A lane follows its item under every name, from when it came to when it went")
    func lanes() throws {
        let lanes = try #require(LifeSketch(Self.paper)).items
        #expect(lanes.map(\.sku) == ["daily", "chess", "go", "sport"])
        let (start, end) = (Lives.moment("2026-01-31"), Lives.moment("2026-03-31"))
        #expect(
            lanes.map(\.delivered) == [
                [start..<end], [start..<Lives.moment("2026-03-20")],
                [start..<Lives.moment("2026-02-28")], [Lives.moment("2026-03-10")..<end],
            ])
        #expect(lanes.map(\.isPresent) == [true, false, false, true])
        #expect(
            lanes.map { $0.marks.map(\.kind) } == [
                [.added, .paid, .changed, .paid],
                [.added, .paid, .repriced, .paid, .removed, .refunded],
                [.added, .removed], [.added, .paid],
            ], "what is only on its way is no mark, and what was free no payment")
        #expect(lanes[1].marks.last?.text == "2.10 USD of chess given back")
    }

    @Test("An item that is to go leaves on its day, unless it is kept")
    func leaving() throws {
        var life = Self.paper
        life.entries = Array(life.entries.prefix(3))
        life.now = Lives.moment("2026-02-20")
        #expect(
            try #require(LifeSketch(life)).items.map(\.leaves)
                == [nil, nil, Lives.moment("2026-02-28")])
        var kept = Lives.entry("2026-02-13", "merchantReactivated")
        kept.items = [Self.item(.kept, "go")]
        life.entries.append(kept)
        #expect(try #require(LifeSketch(life)).items.allSatisfy { $0.leaves == nil })
    }

    @Test("Two items that change names keep their lanes, and one that comes again its own")
    func names() throws {
        var life = Self.paper
        life.entries = Array(life.entries.prefix(1))
        var swapped = Lives.entry("2026-02-05", "merchantDescribed")
        swapped.items = [
            Self.item(.renamed, "chess", was: "news"), Self.item(.renamed, "news", was: "chess"),
        ]
        var gone = Lives.entry("2026-02-07", "merchantModified")
        gone.items = [Self.item(.removed, "go")]
        var back = Lives.entry("2026-02-09", "merchantModified")
        back.items = [Self.item(.added, "go", price: 1_000)]
        life.entries += [swapped, gone, back]
        life.now = Lives.moment("2026-02-20")
        let lanes = try #require(LifeSketch(life)).items
        #expect(lanes.map(\.sku) == ["chess", "news", "go"])
        #expect(lanes[2].delivered.count == 2)
        #expect(lanes[0].marks.map(\.kind) == [.added, .paid, .changed])
    }

    @Test("An item that is added costs what it costs, and the period what all of them do")
    func periodPrices() throws {
        #expect(Self.paper.periodPrices == [14_090, nil, nil, 12_090, 16_290, nil])
        let sketch = try #require(LifeSketch(Self.paper))
        #expect(sketch.prices.map(\.text) == ["14.09 USD", "12.09 USD", "16.29 USD"])
        let text = lines(Self.paper).joined(separator: "\n")
        #expect(text.contains("the period costs 16.29 USD in all"), "\(text)")
        #expect(!text.contains("costs 12.09 USD in all"), "a renewal pays for all of them")
    }

    @Test("Where there was no access an item was not delivered either")
    func access() throws {
        var life = Self.paper
        var ended = Lives.entry("2026-03-31", "becameDue", notices: ["EXPIRED/VOLUNTARY"])
        ended.until = Lives.moment("2026-03-31")
        life.entries.append(ended)
        life.now = Lives.moment("2026-06-01")
        let lanes = try #require(LifeSketch(life)).items
        #expect(lanes.first?.delivered.last?.upperBound == Lives.moment("2026-03-31"))
    }

    @Test("Each item has a line, and each sign a word")
    func painted() {
        let text = lines(Self.paper)
        for sku in ["daily", "chess", "go", "sport"] {
            #expect(text.contains { $0.hasPrefix("  \(sku) ") }, "\(sku)")
        }
        let legend = text.filter { $0.contains("delivered") || $0.contains("item removed") }
            .joined(separator: " ")
        for word in [
            "─ delivered", "• paid", "+ item added", "→ item changed", "↩ item refunded",
            "✕ item removed",
        ] { #expect(legend.contains(word), "\(word): \(legend)") }
        let chess = text.first { $0.hasPrefix("  chess ") } ?? ""
        #expect(chess.contains("✕") && chess.contains("+") && chess.contains("─"))
    }

    @Test("The axis of the life and that of the items align", arguments: [40, 80, 160])
    func axes(columns: Int) {
        let text = lines(Self.paper, Style(columns: columns))
        let axes = text.indices.filter { text[$0].contains("┴") }
        #expect(axes.count == 2)
        #expect(Set(axes.map { text[$0] }).count == 1, "\(text)")
        #expect(Set(axes.map { text[$0 + 1] }).count == 1, "the labels too: \(text)")
    }

    @Test("ASCII says the same, and no line is wider than the terminal", arguments: [40, 80, 160])
    func widths(columns: Int) throws {
        var style = Style(columns: columns)
        style.isASCII = true
        let text = lines(Self.paper, style)
        let bands = text.prefix { !$0.contains("delivered") }
        #expect(bands.allSatisfy { $0.terminalWidth <= columns }, "\(text)")
        #expect(bands.joined().utf8.allSatisfy { $0 < 0x80 })
        let chess = try #require(text.first { $0.hasPrefix("  chess ") })
        #expect(chess.contains("<") || chess.contains("x"))
    }

    @Test("A hundred items of long and wide names are a hundred lines, no wider than the rest")
    func hundred() throws {
        var life = Self.paper
        life.entries = [life.entries[0]]
        life.now = Lives.moment("2026-02-20")
        life.entries[0].items = (0..<120).flatMap { number in
            let sku = "日本の商品.\(number)." + String(repeating: "x", count: 100)
            return [Self.item(.added, sku, price: 990), Self.item(.paid, sku, amount: 990)]
        }
        let bands = try #require(ItemBands(life, style: Style(columns: 60), width: 56)).lines
        #expect(bands.first == "20 items before these")
        #expect(bands.count(where: { $0.hasPrefix("日本") }) == 100)
        #expect(bands.allSatisfy { $0.terminalWidth <= 56 })
        #expect(bands.contains { $0.contains("…") })
    }

    @Test("The list names what became of items, and renewals still fold")
    func words() {
        let text = lines(Self.paper).joined(separator: "\n")
        for line in [
            "called something else by the merchant", "news is called daily",
            "go goes, from 2026-02-28", "chess costs 2.10 USD, settled, from 2026-02-28",
            "changed the items", "sport comes for 6.20 USD", "items refunded",
        ] { #expect(text.contains(line), "\(line): \(text)") }
        #expect(!text.contains("daily paid"), "that it renewed says so")
        var life = Self.paper
        life.entries =
            [life.entries[0]]
            + (1...6).map { month in
                var entry = Lives.entry(
                    "2026-01-31", "becameDue", opens: Lives.month(month + 1, after: "2026-01-31"),
                    amount: 14_090, notices: ["DID_RENEW"])
                entry.at = Lives.month(month, after: "2026-01-31")
                entry.items = [Self.item(.paid, "news", amount: 9_990)]
                return entry
            }
        #expect(lines(life).contains { $0.contains("4 renewals, 14.09 USD each") })
    }

    @Test("Every change has words, with and without a day", arguments: Alteration.Kind.allCases)
    func everyKind(kind: Alteration.Kind) {
        var one = Self.item(kind, "news", price: 1_990, amount: 990)
        #expect(!one.words(.plain, "USD").isEmpty)
        one.from = Lives.moment("2026-02-28")
        one.value = kind == .period ? "P3M" : "2026-02-01T00:00:00Z"
        let sentence = one.sentence(.plain, "USD")
        #expect(sentence.contains("2026-02-28"), "\(sentence)")
        #expect(!sentence.contains("  "), "\(sentence)")
    }

    @Test("A life without items has no lanes")
    func none() throws {
        #expect(try #require(LifeSketch(Lives.stormy)).items.isEmpty)
        #expect(ItemBands(Lives.stormy, style: Style(), width: 76) == nil)
    }
}
